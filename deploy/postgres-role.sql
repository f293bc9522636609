-- The role of Scriptorium and its database, made by a superuser. The password comes from the environment.
\getenv password POSTGRES_PASSWORD
CREATE ROLE scriptorium LOGIN PASSWORD :'password';
ALTER ROLE scriptorium SET jit = off;
CREATE DATABASE scriptorium OWNER scriptorium ENCODING 'UTF8' TEMPLATE template0;
