"""Documents and raw pages as files that other programs read, appended to for ever: on local disk, HDFS and S3."""
