"""Training: from labelled pages to the model file of each algorithm that has one."""
