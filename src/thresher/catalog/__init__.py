"""The catalog: what people set up and see — sources, where they are asked, and how they fare."""
