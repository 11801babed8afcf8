-- A role for workers and watches, who need no account of the web application. Run it as the owner of the tables, once
-- `thresher serve` has made them, and again after an upgrade that adds some:
--   psql "$STORE_URL" -v password="$PASSWORD" -f deploy/postgresql/worker-role.sql
-- An upgrade must first reach a process of the owner (serve): a worker may not change tables that are there.
\set ON_ERROR_STOP on
SELECT 'CREATE ROLE worker LOGIN' WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'worker') \gexec
ALTER ROLE worker PASSWORD :'password';
GRANT USAGE, CREATE ON SCHEMA public TO worker;  -- CREATE: each start asks for tables, which are there
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO worker;
GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO worker;
SELECT format('REVOKE ALL ON %I FROM worker', tablename) FROM pg_tables
WHERE schemaname = 'public' AND tablename LIKE 'account\_%' \gexec
