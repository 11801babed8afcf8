"""The learned extractor's parts: a page cut into blocks, measured, and judged by two stages of trees."""
