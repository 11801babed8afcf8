-- Time: the frontier's time now.
return exact(now)
