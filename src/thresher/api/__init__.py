"""The Python API: what `import thresher` offers beyond the nouns; the commands that read a corpus use it too."""
