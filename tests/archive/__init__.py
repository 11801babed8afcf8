"""Tests of archives: files on disk, S3 and HDFS."""
