-- Recover: go on after a loss of the last steps. Hosts rest once from now, for nobody knows when they were asked last.
-- How often that was necessary in this job comes back.
redis.call('HSET', K.clock, 'rolled_at', exact(now))
count('losses', 1)
save_job()
return job_number('losses') + 1
