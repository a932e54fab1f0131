SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;
CREATE SEQUENCE public.sallyport_revision
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
SET default_tablespace = '';
SET default_table_access_method = heap;
CREATE TABLE public.account (
    id text NOT NULL COLLATE pg_catalog."C",
    provider_id text NOT NULL COLLATE pg_catalog."C",
    account_id text NOT NULL COLLATE pg_catalog."C",
    created_at timestamp with time zone NOT NULL,
    user_id text NOT NULL COLLATE pg_catalog."C",
    password_hash text COLLATE pg_catalog."C",
    updated_at timestamp with time zone NOT NULL,
    revision bigint DEFAULT nextval('public.sallyport_revision'::regclass) NOT NULL
);
CREATE TABLE public.active_organization (
    user_id text NOT NULL COLLATE pg_catalog."C",
    member_id text NOT NULL COLLATE pg_catalog."C",
    organization_id text NOT NULL COLLATE pg_catalog."C",
    revision bigint DEFAULT nextval('public.sallyport_revision'::regclass) NOT NULL
);
CREATE TABLE public.audit_chain (
    id text NOT NULL COLLATE pg_catalog."C",
    number bigint NOT NULL,
    day text NOT NULL COLLATE pg_catalog."C",
    digest text NOT NULL COLLATE pg_catalog."C",
    tag text NOT NULL COLLATE pg_catalog."C",
    key_id text NOT NULL COLLATE pg_catalog."C",
    expires double precision NOT NULL,
    revision bigint DEFAULT nextval('public.sallyport_revision'::regclass) NOT NULL
);
CREATE TABLE public.audit_day (
    day text NOT NULL COLLATE pg_catalog."C",
    number bigint NOT NULL,
    digest text NOT NULL COLLATE pg_catalog."C",
    tag text NOT NULL COLLATE pg_catalog."C",
    key_id text NOT NULL COLLATE pg_catalog."C",
    revision bigint DEFAULT nextval('public.sallyport_revision'::regclass) NOT NULL
);
CREATE TABLE public.audit_erasure (
    user_id text NOT NULL COLLATE pg_catalog."C",
    requested_at timestamp with time zone NOT NULL,
    revision bigint DEFAULT nextval('public.sallyport_revision'::regclass) NOT NULL
);
CREATE TABLE public.audit_record (
    id text NOT NULL COLLATE pg_catalog."C",
    at timestamp with time zone NOT NULL,
    type text NOT NULL COLLATE pg_catalog."C",
    outcome text NOT NULL COLLATE pg_catalog."C",
    reason text COLLATE pg_catalog."C",
    actor_kind text NOT NULL COLLATE pg_catalog."C",
    actor_id text COLLATE pg_catalog."C",
    subject_kind text NOT NULL COLLATE pg_catalog."C",
    subject_id text COLLATE pg_catalog."C",
    organization_id text COLLATE pg_catalog."C",
    session_id text COLLATE pg_catalog."C",
    client_id text COLLATE pg_catalog."C",
    ip_address text COLLATE pg_catalog."C",
    user_agent text COLLATE pg_catalog."C",
    request_id text COLLATE pg_catalog."C",
    trace_id text COLLATE pg_catalog."C",
    count bigint NOT NULL,
    data jsonb NOT NULL,
    salt text COLLATE pg_catalog."C",
    origin_hash text NOT NULL COLLATE pg_catalog."C",
    expires_at timestamp with time zone NOT NULL,
    revision bigint DEFAULT nextval('public.sallyport_revision'::regclass) NOT NULL
);
CREATE TABLE public.audit_seal (
    id text NOT NULL COLLATE pg_catalog."C",
    day text NOT NULL COLLATE pg_catalog."C",
    sealed_at timestamp with time zone NOT NULL,
    entries jsonb NOT NULL,
    previous text NOT NULL COLLATE pg_catalog."C",
    previous_expires double precision NOT NULL,
    digest text NOT NULL COLLATE pg_catalog."C",
    tag text NOT NULL COLLATE pg_catalog."C",
    key_id text NOT NULL COLLATE pg_catalog."C",
    expires_at timestamp with time zone NOT NULL,
    revision bigint DEFAULT nextval('public.sallyport_revision'::regclass) NOT NULL
);
CREATE TABLE public.audit_unsealed (
    id text NOT NULL COLLATE pg_catalog."C",
    revision bigint DEFAULT nextval('public.sallyport_revision'::regclass) NOT NULL
);
CREATE TABLE public.email_code (
    recipient text NOT NULL COLLATE pg_catalog."C",
    hash text NOT NULL COLLATE pg_catalog."C",
    attempts bigint NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    revision bigint DEFAULT nextval('public.sallyport_revision'::regclass) NOT NULL
);
CREATE TABLE public.email_step_up_code (
    recipient text NOT NULL COLLATE pg_catalog."C",
    hash text NOT NULL COLLATE pg_catalog."C",
    attempts bigint NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    revision bigint DEFAULT nextval('public.sallyport_revision'::regclass) NOT NULL
);
CREATE TABLE public.held_up_sign_in (
    hash text NOT NULL COLLATE pg_catalog."C",
    asked_by text NOT NULL COLLATE pg_catalog."C",
    user_id text NOT NULL COLLATE pg_catalog."C",
    user_revision bigint NOT NULL,
    authentication text NOT NULL COLLATE pg_catalog."C",
    link jsonb,
    began_at text COLLATE pg_catalog."C",
    provider_id text COLLATE pg_catalog."C",
    is_sign_up boolean,
    methods text COLLATE pg_catalog."C",
    failures bigint NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    revision bigint DEFAULT nextval('public.sallyport_revision'::regclass) NOT NULL
);
CREATE TABLE public.import_record (
    key text NOT NULL COLLATE pg_catalog."C",
    run_id text NOT NULL COLLATE pg_catalog."C",
    user_id text NOT NULL COLLATE pg_catalog."C",
    line bigint NOT NULL,
    kind text NOT NULL COLLATE pg_catalog."C",
    rows jsonb NOT NULL,
    created_at timestamp with time zone NOT NULL,
    revision bigint DEFAULT nextval('public.sallyport_revision'::regclass) NOT NULL
);
CREATE TABLE public.import_run (
    id text NOT NULL COLLATE pg_catalog."C",
    source text NOT NULL COLLATE pg_catalog."C",
    fingerprint text NOT NULL COLLATE pg_catalog."C",
    "position" bigint NOT NULL,
    refused_bytes bigint NOT NULL,
    totals jsonb NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    finished_at timestamp with time zone,
    undone_at timestamp with time zone,
    revision bigint DEFAULT nextval('public.sallyport_revision'::regclass) NOT NULL
);
CREATE TABLE public.invitation (
    id text NOT NULL COLLATE pg_catalog."C",
    organization_id text NOT NULL COLLATE pg_catalog."C",
    email text NOT NULL COLLATE pg_catalog."C",
    role text NOT NULL COLLATE pg_catalog."C",
    status text NOT NULL COLLATE pg_catalog."C",
    inviter_id text NOT NULL COLLATE pg_catalog."C",
    expires_at timestamp with time zone NOT NULL,
    created_at timestamp with time zone NOT NULL,
    reference text NOT NULL COLLATE pg_catalog."C",
    revision bigint DEFAULT nextval('public.sallyport_revision'::regclass) NOT NULL
);
CREATE TABLE public.magic_link (
    email text NOT NULL COLLATE pg_catalog."C",
    hash text NOT NULL COLLATE pg_catalog."C",
    expires_at timestamp with time zone NOT NULL,
    revision bigint DEFAULT nextval('public.sallyport_revision'::regclass) NOT NULL
);
CREATE TABLE public.mailed_token (
    hash text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    user_id text COLLATE pg_catalog."C",
    email text NOT NULL COLLATE pg_catalog."C",
    expires_at timestamp with time zone NOT NULL,
    revision bigint DEFAULT nextval('public.sallyport_revision'::regclass) NOT NULL
);
CREATE TABLE public.member (
    id text NOT NULL COLLATE pg_catalog."C",
    organization_id text NOT NULL COLLATE pg_catalog."C",
    user_id text NOT NULL COLLATE pg_catalog."C",
    role text NOT NULL COLLATE pg_catalog."C",
    created_at timestamp with time zone NOT NULL,
    revision bigint DEFAULT nextval('public.sallyport_revision'::regclass) NOT NULL
);
CREATE TABLE public.one_time_token (
    hash text NOT NULL COLLATE pg_catalog."C",
    session_id text NOT NULL COLLATE pg_catalog."C",
    session_token_hash text COLLATE pg_catalog."C",
    expires_at timestamp with time zone NOT NULL,
    revision bigint DEFAULT nextval('public.sallyport_revision'::regclass) NOT NULL
);
CREATE TABLE public.organization (
    id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    slug text NOT NULL COLLATE pg_catalog."C",
    created_at timestamp with time zone NOT NULL,
    revision bigint DEFAULT nextval('public.sallyport_revision'::regclass) NOT NULL
);
CREATE TABLE public.outbox (
    id text NOT NULL COLLATE pg_catalog."C",
    sealed text NOT NULL COLLATE pg_catalog."C",
    attempts bigint NOT NULL,
    created_at timestamp with time zone NOT NULL,
    due_at timestamp with time zone NOT NULL,
    give_up_at timestamp with time zone NOT NULL,
    reason text COLLATE pg_catalog."C",
    revision bigint DEFAULT nextval('public.sallyport_revision'::regclass) NOT NULL
);
CREATE TABLE public.outbox_dead (
    id text NOT NULL COLLATE pg_catalog."C",
    sealed text NOT NULL COLLATE pg_catalog."C",
    attempts bigint NOT NULL,
    created_at timestamp with time zone NOT NULL,
    reason text NOT NULL COLLATE pg_catalog."C",
    died_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    revision bigint DEFAULT nextval('public.sallyport_revision'::regclass) NOT NULL
);
CREATE TABLE public.phone_code (
    recipient text NOT NULL COLLATE pg_catalog."C",
    hash text NOT NULL COLLATE pg_catalog."C",
    attempts bigint NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    revision bigint DEFAULT nextval('public.sallyport_revision'::regclass) NOT NULL
);
CREATE TABLE public.rate_limit (
    key text NOT NULL COLLATE pg_catalog."C",
    count double precision NOT NULL,
    since timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    revision bigint DEFAULT nextval('public.sallyport_revision'::regclass) NOT NULL
);
CREATE TABLE public.removal (
    id text NOT NULL COLLATE pg_catalog."C",
    "table" text NOT NULL COLLATE pg_catalog."C",
    key text NOT NULL COLLATE pg_catalog."C",
    created_at timestamp with time zone NOT NULL,
    revision bigint DEFAULT nextval('public.sallyport_revision'::regclass) NOT NULL
);
CREATE TABLE public.session (
    id text NOT NULL COLLATE pg_catalog."C",
    expires_at timestamp with time zone NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    ip_address text COLLATE pg_catalog."C",
    user_agent text COLLATE pg_catalog."C",
    user_id text NOT NULL COLLATE pg_catalog."C",
    token_hash text NOT NULL COLLATE pg_catalog."C",
    authenticated_at timestamp with time zone NOT NULL,
    proved_at timestamp with time zone,
    multi_factor boolean,
    methods text COLLATE pg_catalog."C",
    revision bigint DEFAULT nextval('public.sallyport_revision'::regclass) NOT NULL
);
CREATE TABLE public.team (
    id text NOT NULL COLLATE pg_catalog."C",
    organization_id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    created_at timestamp with time zone NOT NULL,
    revision bigint DEFAULT nextval('public.sallyport_revision'::regclass) NOT NULL
);
CREATE TABLE public.team_member (
    id text NOT NULL COLLATE pg_catalog."C",
    team_id text NOT NULL COLLATE pg_catalog."C",
    member_id text NOT NULL COLLATE pg_catalog."C",
    user_id text NOT NULL COLLATE pg_catalog."C",
    revision bigint DEFAULT nextval('public.sallyport_revision'::regclass) NOT NULL
);
CREATE TABLE public.two_factor (
    user_id text NOT NULL COLLATE pg_catalog."C",
    secret text NOT NULL COLLATE pg_catalog."C",
    backup_codes jsonb NOT NULL,
    used_steps jsonb NOT NULL,
    failures bigint NOT NULL,
    locked_until timestamp with time zone,
    confirmed_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    revision bigint DEFAULT nextval('public.sallyport_revision'::regclass) NOT NULL
);
CREATE TABLE public."user" (
    id text NOT NULL COLLATE pg_catalog."C",
    email text NOT NULL COLLATE pg_catalog."C",
    email_verified boolean NOT NULL,
    name text COLLATE pg_catalog."C",
    image text COLLATE pg_catalog."C",
    locale text COLLATE pg_catalog."C",
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    last_verified_email text COLLATE pg_catalog."C",
    readdressed_at timestamp with time zone,
    search_name text COLLATE pg_catalog."C",
    revision bigint DEFAULT nextval('public.sallyport_revision'::regclass) NOT NULL
);
CREATE TABLE public.username (
    id text NOT NULL COLLATE pg_catalog."C",
    user_id text NOT NULL COLLATE pg_catalog."C",
    username text NOT NULL COLLATE pg_catalog."C",
    display_username text NOT NULL COLLATE pg_catalog."C",
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    revision bigint DEFAULT nextval('public.sallyport_revision'::regclass) NOT NULL
);
INSERT INTO public.account VALUES ('01a20af2-4229-739a-bec0-af48d9d90c04', 'credential', '01a20af2-4229-739a-bec0-af47614a3ca6', '2026-11-24 00:26:18.537+00', '01a20af2-4229-739a-bec0-af47614a3ca6', '$argon2id$v=19$m=1024,t=1,p=1$Jssk8K9yqcmpYcKhzWJEjw$SzflOpqz5Pf1hT1Pfvkr+a+Or8sfMHk4WT2YmtnuP2Q', '2026-11-24 00:26:18.537+00', 16);
INSERT INTO public.account VALUES ('01a20af2-42ec-739e-9299-a3af1ab22ae2', 'credential', '01a20af2-42ec-739e-9299-a3ae003a90ee', '2026-11-24 00:26:18.732+00', '01a20af2-42ec-739e-9299-a3ae003a90ee', '$argon2id$v=19$m=1024,t=1,p=1$s7/kYbp+Kd1wHWkn64n+fA$l9PNgjVgH6wkhgXfdnQLoioWVr92UaE0HnAwE/VRpn4', '2026-11-24 00:26:18.732+00', 36);
INSERT INTO public.account VALUES ('01a20af2-438f-75b5-a4b6-be2ee7ec9532', 'credential', '01a20af2-438f-75b5-a4b6-be2da5c475f2', '2026-11-24 00:26:18.895+00', '01a20af2-438f-75b5-a4b6-be2da5c475f2', '$argon2id$v=19$m=1024,t=1,p=1$rENHig2zv250cLtqvfGAjQ$S08BVAnZ3vBCe15BVsfdWU5dXcyDhvonGnZUfVhMDeI', '2026-11-24 00:26:18.895+00', 55);
INSERT INTO public.account VALUES ('01a20af2-4397-7284-9cb3-4ea88ad1c57a', 'credential', '01a20af2-4397-7284-9cb3-4ea745bc1df5', '2026-11-24 00:26:18.903+00', '01a20af2-4397-7284-9cb3-4ea745bc1df5', '$argon2id$v=19$m=1024,t=1,p=1$BZDLxpF2xToq26ommuXF+Q$wEnDIFLh5EP3e2KSlX3TsImChf4okdKm8MHjKKzh+a0', '2026-11-24 00:26:18.903+00', 69);
INSERT INTO public.account VALUES ('01a20af2-43a6-733e-9b90-dbe93108eae0', 'credential', '01a20af2-43a6-733e-9b90-dbe88c6d78ea', '2026-11-24 00:26:18.918+00', '01a20af2-43a6-733e-9b90-dbe88c6d78ea', '$argon2id$v=19$m=1024,t=1,p=1$d2ObIK47SDiHq4lVBqm/Uw$nMK2tHy61+CJQYUcrZh7ZEgMQDDkB3pA77Z9bkBsOSk', '2026-11-24 00:26:18.918+00', 85);
INSERT INTO public.account VALUES ('01a20af2-43c3-7094-8fba-3ff890f5ab7c', 'credential', '01a20af2-43c3-7094-8fba-3ff71dd77584', '2026-11-24 00:26:18.947+00', '01a20af2-43c3-7094-8fba-3ff71dd77584', '$argon2id$v=19$m=1024,t=1,p=1$REW8VAP6wFXpQoHv0OWscg$fL0F1z6jr9jRs0lkrTgBsdspzgf8doY22AS+nDInfPM', '2026-11-24 00:26:18.947+00', 127);
INSERT INTO public.audit_chain VALUES ('head', 1, '2026-11-24', 'qOZZhHewRiaHdaGtabHYB7-d_6ilNXnOzQbtdZ8oodE', '1FJSEpP7lAVp_ZLCNwEl_w9pIdNG9zrFBXIWrPepO0g', 'JwcLdiTO', 1827102379083, 146);
INSERT INTO public.audit_record VALUES ('01a20af2-422c-74ce-a4f2-d2756281a00e', '2026-11-24 00:26:18.54+00', 'user.created', 'success', NULL, 'visitor', NULL, 'user', '01a20af2-4229-739a-bec0-af47614a3ca6', NULL, NULL, NULL, '127.0.0.1', 'node', 'cd8642a9-3e0d-4d57-8795-a5756e0a1ef2', NULL, 1, '{"method": "email_password", "operation": "signUpEmail"}', 'xHojD1aXXM00hCCgUG5O2ATlfOqeXXpvv0NejRm2BXc', 'DoRsPFvudtXOnnZDSK7TZ2t-C71PKgcdT-k8USFZe5s', '2027-11-24 00:26:18.54+00', 4);
INSERT INTO public.audit_record VALUES ('01a20af2-422c-74ce-a4f2-d276f08183bb', '2026-11-24 00:26:18.54+00', 'credential.added', 'success', NULL, 'visitor', NULL, 'user', '01a20af2-4229-739a-bec0-af47614a3ca6', NULL, NULL, NULL, '127.0.0.1', 'node', 'cd8642a9-3e0d-4d57-8795-a5756e0a1ef2', NULL, 1, '{"id": "01a20af2-4229-739a-bec0-af48d9d90c04", "kind": "credential", "method": "email_password", "operation": "signUpEmail"}', 's70JVFp8ODnVAah3DssjGTCmw5EvU98ZMX26-EWtvgY', 'JfnGrixyfSU-QwtTaJ2iGzLBadHIyk0CPr1Zx1lcCn0', '2027-11-24 00:26:18.54+00', 6);
INSERT INTO public.audit_record VALUES ('01a20af2-422c-74ce-a4f2-d277af5a0f2d', '2026-11-24 00:26:18.54+00', 'sign_in.succeeded', 'success', NULL, 'user', '01a20af2-4229-739a-bec0-af47614a3ca6', 'user', '01a20af2-4229-739a-bec0-af47614a3ca6', NULL, '01a20af2-422b-7103-b156-60e2204ad18a', NULL, '127.0.0.1', 'node', 'cd8642a9-3e0d-4d57-8795-a5756e0a1ef2', NULL, 1, '{"method": "email_password", "operation": "signUpEmail"}', 'GMWkEUdoIFSv03fT8ArCcfhnrv0cWm8qupK89G57mxQ', 'mmV-bkH52JDAOOAjasSR5TdrQ97B32oogPctNFWmR6c', '2027-02-22 00:26:18.54+00', 8);
INSERT INTO public.audit_record VALUES ('01a20af2-422c-74ce-a4f2-d27875832cb2', '2026-11-24 00:26:18.54+00', 'session.opened', 'success', NULL, 'user', '01a20af2-4229-739a-bec0-af47614a3ca6', 'user', '01a20af2-4229-739a-bec0-af47614a3ca6', NULL, '01a20af2-422b-7103-b156-60e2204ad18a', NULL, '127.0.0.1', 'node', 'cd8642a9-3e0d-4d57-8795-a5756e0a1ef2', NULL, 1, '{"method": "email_password", "operation": "signUpEmail"}', 'i0NxO7F_1Ap1o0Yti6KL9QupkIasOCg-vrvHV2TFjj8', 'Ih9CdQzP__sBsIif_vOpH0O5QZLWXisB7AL6E3iFPfE', '2027-02-22 00:26:18.54+00', 10);
INSERT INTO public.audit_record VALUES ('01a20af2-42e6-7516-bef6-d285f83fe859', '2026-11-24 00:26:18.726+00', 'user.email_verified', 'success', NULL, 'visitor', NULL, 'user', '01a20af2-4229-739a-bec0-af47614a3ca6', NULL, NULL, NULL, '127.0.0.1', 'node', 'd6a6f6e9-e805-4dd4-b41d-65f577b38cc8', NULL, 1, '{"method": "email_verification", "operation": "verifyEmail"}', 'UdYTVigz83APUeqpNyxAo_vaHG1XTrgvlo3AOBE8NNw', 'czUrrVnmJamvSIsKnkcstV7TLHFF6UCmKFxmmFqR64k', '2027-11-24 00:26:18.726+00', 17);
INSERT INTO public.audit_record VALUES ('01a20af2-42e6-7516-bef6-d28683579775', '2026-11-24 00:26:18.726+00', 'credential.removed', 'success', NULL, 'visitor', NULL, 'user', '01a20af2-4229-739a-bec0-af47614a3ca6', NULL, NULL, NULL, '127.0.0.1', 'node', 'd6a6f6e9-e805-4dd4-b41d-65f577b38cc8', NULL, 1, '{"id": "01a20af2-4229-739a-bec0-af48d9d90c04", "kind": "credential", "method": "email_verification", "operation": "verifyEmail"}', 'ucgszvYqFPArP8nn4z4Hr1ynJfiCU6HWjmLjWCvjJDI', 'z58wP97tj1YKrEdtKR7nrTO6Ac9xjxP_I1U8zSzeNM0', '2027-11-24 00:26:18.726+00', 19);
INSERT INTO public.audit_record VALUES ('01a20af2-42ed-71ad-b418-d645e5c27f58', '2026-11-24 00:26:18.733+00', 'user.created', 'success', NULL, 'visitor', NULL, 'user', '01a20af2-42ec-739e-9299-a3ae003a90ee', NULL, NULL, NULL, '127.0.0.1', 'node', '6458d037-cabf-488b-b3ef-f0b4495a15ff', NULL, 1, '{"method": "email_password", "operation": "signUpEmail"}', 'qeb8MRK1NiwMyDY7YkKMqgQ4ToPyhJtPdsRU8-28xtk', 'cI7hFl3guh3pkTPqM5-y2CkuCkxzX60eTj7hyHMdN4E', '2027-11-24 00:26:18.733+00', 24);
INSERT INTO public.audit_record VALUES ('01a20af2-42ed-71ad-b418-d646233c4303', '2026-11-24 00:26:18.733+00', 'credential.added', 'success', NULL, 'visitor', NULL, 'user', '01a20af2-42ec-739e-9299-a3ae003a90ee', NULL, NULL, NULL, '127.0.0.1', 'node', '6458d037-cabf-488b-b3ef-f0b4495a15ff', NULL, 1, '{"id": "01a20af2-42ec-739e-9299-a3af1ab22ae2", "kind": "credential", "method": "email_password", "operation": "signUpEmail"}', 'njAK_4-M_BNDvN4-4vagbrTay7aYWxarEP3xo8JGvUI', 'cPmNDE0Zs3fLCJycHv1PCp4IQzWQ7S1OCyGzeCJK6h4', '2027-11-24 00:26:18.733+00', 26);
INSERT INTO public.audit_record VALUES ('01a20af2-42ed-71ad-b418-d647fe7207f2', '2026-11-24 00:26:18.733+00', 'sign_in.succeeded', 'success', NULL, 'user', '01a20af2-42ec-739e-9299-a3ae003a90ee', 'user', '01a20af2-42ec-739e-9299-a3ae003a90ee', NULL, '01a20af2-42ed-71ad-b418-d644e2f0a58a', NULL, '127.0.0.1', 'node', '6458d037-cabf-488b-b3ef-f0b4495a15ff', NULL, 1, '{"method": "email_password", "operation": "signUpEmail"}', 'NsybFQrgKFhV_pVdufHE7VCSGnMqZe6s6AO2ZSnEcs0', 'XXnCq_vMpEiZLpHG7BEKOO8ElD46477YF4HuU1bLgt4', '2027-02-22 00:26:18.733+00', 28);
INSERT INTO public.audit_record VALUES ('01a20af2-42ed-71ad-b418-d6486cacd0a1', '2026-11-24 00:26:18.733+00', 'session.opened', 'success', NULL, 'user', '01a20af2-42ec-739e-9299-a3ae003a90ee', 'user', '01a20af2-42ec-739e-9299-a3ae003a90ee', NULL, '01a20af2-42ed-71ad-b418-d644e2f0a58a', NULL, '127.0.0.1', 'node', '6458d037-cabf-488b-b3ef-f0b4495a15ff', NULL, 1, '{"method": "email_password", "operation": "signUpEmail"}', 'DuMeK56pmq11qe_33bTr_o2a2gD0BWr2xu7CfUkc9gk', 'ppbzUBpCJnfaxY8cAqPqzbZT_9ZMWPlQo_QTdST50W4', '2027-02-22 00:26:18.733+00', 30);
INSERT INTO public.audit_record VALUES ('01a20af2-4362-7793-972e-0e62ab735388', '2026-11-24 00:26:18.85+00', 'user.email_verified', 'success', NULL, 'visitor', NULL, 'user', '01a20af2-42ec-739e-9299-a3ae003a90ee', NULL, NULL, NULL, '127.0.0.1', 'node', '7d2ddc6c-5b63-4e20-9124-18c6a08a95f2', NULL, 1, '{"method": "email_verification", "operation": "verifyEmail"}', 'Mp9VJnUlsyCFOcaW2dqXWHnkiaTJZVDmFroow6lzhOo', 'qXxClCFU0jo-v6HwGNNLXCg0K-0zGVe2IIe6LQFU8UA', '2027-11-24 00:26:18.85+00', 37);
INSERT INTO public.audit_record VALUES ('01a20af2-4362-7793-972e-0e630f3f7e66', '2026-11-24 00:26:18.85+00', 'credential.removed', 'success', NULL, 'visitor', NULL, 'user', '01a20af2-42ec-739e-9299-a3ae003a90ee', NULL, NULL, NULL, '127.0.0.1', 'node', '7d2ddc6c-5b63-4e20-9124-18c6a08a95f2', NULL, 1, '{"id": "01a20af2-42ec-739e-9299-a3af1ab22ae2", "kind": "credential", "method": "email_verification", "operation": "verifyEmail"}', 'emp6Ia-Hsi26So3a0C3RrJh-1ciNI9GTtsj3jrLnIX4', 'oB8snwKfy2znyZ4wfxTF7wDQmXgvkF1Ao08k1n6bbHg', '2027-11-24 00:26:18.85+00', 39);
INSERT INTO public.audit_record VALUES ('01a20af2-437d-72d6-aa3f-9895013870c9', '2026-11-24 00:26:18.877+00', 'credential.added', 'success', NULL, 'user', '01a20af2-42ec-739e-9299-a3ae003a90ee', 'user', '01a20af2-42ec-739e-9299-a3ae003a90ee', NULL, '01a20af2-42ed-71ad-b418-d644e2f0a58a', NULL, '127.0.0.1', 'node', '22885389-5bb0-4747-9387-9b8042f26b58', NULL, 1, '{"kind": "totp", "method": "two_factor", "operation": "twoFactorTotpConfirm"}', 'mBHCfjsA9_VDL2FxO-WgGNVwHPtlOhiDTRLJmoqTXQs', 'eixWZb8YAVLIjJYiL888BMk8CbXkbeTgzCkRjPactF0', '2027-11-24 00:26:18.877+00', 46);
INSERT INTO public.audit_record VALUES ('01a20af2-437d-72d6-aa3f-9896ba240d71', '2026-11-24 00:26:18.877+00', 'session.stepped_up', 'success', NULL, 'user', '01a20af2-42ec-739e-9299-a3ae003a90ee', 'user', '01a20af2-42ec-739e-9299-a3ae003a90ee', NULL, '01a20af2-42ed-71ad-b418-d644e2f0a58a', NULL, '127.0.0.1', 'node', '22885389-5bb0-4747-9387-9b8042f26b58', NULL, 1, '{"method": "two_factor", "operation": "twoFactorTotpConfirm"}', 'TKODyMLQw5xz0i7ukOGuXHGsaYI6d1j4NuSLzC26_Ig', 'GpOzaQki1S0jj0-A0ma_U6FVUzTMzr5TALJyNmve8II', '2027-02-22 00:26:18.877+00', 48);
INSERT INTO public.audit_record VALUES ('01a20af2-438a-706a-bee0-2be5f7c2f0cf', '2026-11-24 00:26:18.89+00', 'sign_in.challenged', 'success', NULL, 'visitor', NULL, 'user', '01a20af2-42ec-739e-9299-a3ae003a90ee', NULL, NULL, NULL, '127.0.0.1', 'node', '677bb9ea-8e89-496b-bf8a-8dd99905e58b', NULL, 1, '{"method": "email_password", "challenge": "two_factor", "operation": "signInEmail"}', 'cbyOQmfvSdDr3p-4x-KGwsgG99AFbByPPGQ5rKRKwyI', 'mDrdcfAE0Y8psV8Xy3pqsxLZZ55PM4NKlcilKV3wC9I', '2027-02-22 00:26:18.89+00', 52);
INSERT INTO public.audit_record VALUES ('01a20af2-438f-75b5-a4b6-be3054f382e0', '2026-11-24 00:26:18.895+00', 'user.created', 'success', NULL, 'visitor', NULL, 'user', '01a20af2-438f-75b5-a4b6-be2da5c475f2', NULL, NULL, NULL, '127.0.0.1', 'node', '2564c4c6-78c9-4212-a841-b496718836f5', NULL, 1, '{"method": "email_password", "operation": "signUpEmail"}', 'iLtuG3ezYTCE7qZonEXY1NRVerYkrnRHiMGzRWFHD7c', 'UtAcm12wjIrhJjdBzH4ZzyrfpBj3HkdCORD4Dtz4hhM', '2027-11-24 00:26:18.895+00', 57);
INSERT INTO public.audit_record VALUES ('01a20af2-438f-75b5-a4b6-be315da7128d', '2026-11-24 00:26:18.895+00', 'credential.added', 'success', NULL, 'visitor', NULL, 'user', '01a20af2-438f-75b5-a4b6-be2da5c475f2', NULL, NULL, NULL, '127.0.0.1', 'node', '2564c4c6-78c9-4212-a841-b496718836f5', NULL, 1, '{"id": "01a20af2-438f-75b5-a4b6-be2ee7ec9532", "kind": "credential", "method": "email_password", "operation": "signUpEmail"}', 'CAu0uHk4M0rxDXQzfMX31sG9ihgGF9YZP9aRvW4a08Y', 'Gs66miBARNylbMjWMKY0JqesqngzCS763VSDptNLIgw', '2027-11-24 00:26:18.895+00', 59);
INSERT INTO public.audit_record VALUES ('01a20af2-438f-75b5-a4b6-be323c0dc157', '2026-11-24 00:26:18.895+00', 'sign_in.succeeded', 'success', NULL, 'user', '01a20af2-438f-75b5-a4b6-be2da5c475f2', 'user', '01a20af2-438f-75b5-a4b6-be2da5c475f2', NULL, '01a20af2-438f-75b5-a4b6-be2f1e854598', NULL, '127.0.0.1', 'node', '2564c4c6-78c9-4212-a841-b496718836f5', NULL, 1, '{"method": "email_password", "operation": "signUpEmail"}', 'Gkn3RO3UWwzI546L33JJS5cx1tq9Cef3rHOUMVK25bI', 'MTn6g0nzb1L8QeVYHdqNu7IKHrHGImyHHE41XtLJJng', '2027-02-22 00:26:18.895+00', 61);
INSERT INTO public.audit_record VALUES ('01a20af2-438f-75b5-a4b6-be33381aa325', '2026-11-24 00:26:18.895+00', 'session.opened', 'success', NULL, 'user', '01a20af2-438f-75b5-a4b6-be2da5c475f2', 'user', '01a20af2-438f-75b5-a4b6-be2da5c475f2', NULL, '01a20af2-438f-75b5-a4b6-be2f1e854598', NULL, '127.0.0.1', 'node', '2564c4c6-78c9-4212-a841-b496718836f5', NULL, 1, '{"method": "email_password", "operation": "signUpEmail"}', 'iowXz8Tvwc6gd-Tsp2UokGFCjXzYNrk7YywtdGKNt_c', 'mrUYymOm6bN129SDh5DjdsWPLiV1UBkPQPQMhR6xYJw', '2027-02-22 00:26:18.895+00', 63);
INSERT INTO public.audit_record VALUES ('01a20af2-4397-7284-9cb3-4eaa2ccceb20', '2026-11-24 00:26:18.903+00', 'user.created', 'success', NULL, 'visitor', NULL, 'user', '01a20af2-4397-7284-9cb3-4ea745bc1df5', NULL, NULL, NULL, '127.0.0.1', 'node', '5016bcf2-f9a7-4625-b6a3-9bef7e2b23f0', NULL, 1, '{"method": "email_password", "operation": "signUpEmail"}', '5XlgqlHOVrl7WL7IkJqqVWg6eb_QGHLTqgDNTcyhVyQ', 'JNPQwyVcJKLKkWXKbZ1ogP1p-c0hEnr1FaQv6AdmZ5A', '2027-11-24 00:26:18.903+00', 71);
INSERT INTO public.audit_record VALUES ('01a20af2-4397-7284-9cb3-4eabca222563', '2026-11-24 00:26:18.903+00', 'credential.added', 'success', NULL, 'visitor', NULL, 'user', '01a20af2-4397-7284-9cb3-4ea745bc1df5', NULL, NULL, NULL, '127.0.0.1', 'node', '5016bcf2-f9a7-4625-b6a3-9bef7e2b23f0', NULL, 1, '{"id": "01a20af2-4397-7284-9cb3-4ea88ad1c57a", "kind": "credential", "method": "email_password", "operation": "signUpEmail"}', 'G7MJxyMIOFDaNHstRa8w8c2twsa2lwlvCxNwcucIy-E', 'LsbhMsys-r_mL8Ig16xtxk30uaH-cGjDUPavVDrM5zM', '2027-11-24 00:26:18.903+00', 73);
INSERT INTO public.audit_record VALUES ('01a20af2-4397-7284-9cb3-4eac180b291e', '2026-11-24 00:26:18.903+00', 'sign_in.succeeded', 'success', NULL, 'user', '01a20af2-4397-7284-9cb3-4ea745bc1df5', 'user', '01a20af2-4397-7284-9cb3-4ea745bc1df5', NULL, '01a20af2-4397-7284-9cb3-4ea94f6aaa6a', NULL, '127.0.0.1', 'node', '5016bcf2-f9a7-4625-b6a3-9bef7e2b23f0', NULL, 1, '{"method": "email_password", "operation": "signUpEmail"}', 'l1fB_69Fe3FJkOd3_KIYBXdPxLl-mcbvoQl4iuAcaxI', 'iQ3xFzepqNdpCzG0m6E5ytGg83ksfn2LX6N1LBFnXOA', '2027-02-22 00:26:18.903+00', 75);
INSERT INTO public.audit_record VALUES ('01a20af2-4397-7284-9cb3-4eaded9362ae', '2026-11-24 00:26:18.903+00', 'session.opened', 'success', NULL, 'user', '01a20af2-4397-7284-9cb3-4ea745bc1df5', 'user', '01a20af2-4397-7284-9cb3-4ea745bc1df5', NULL, '01a20af2-4397-7284-9cb3-4ea94f6aaa6a', NULL, '127.0.0.1', 'node', '5016bcf2-f9a7-4625-b6a3-9bef7e2b23f0', NULL, 1, '{"method": "email_password", "operation": "signUpEmail"}', 'kevzWsfsQJwfkjU3cHZBx1dOVeQJjqEdZni6--UDhbk', 'WlixIMP-1rESBKB-1mWVGfZoFLiMwnFE45v9OW3z4w4', '2027-02-22 00:26:18.903+00', 77);
INSERT INTO public.audit_record VALUES ('01a20af2-43a2-7716-b273-336cc40edfaf', '2026-11-24 00:26:18.914+00', 'recovery.requested', 'success', NULL, 'visitor', NULL, 'user', '01a20af2-4397-7284-9cb3-4ea745bc1df5', NULL, NULL, NULL, '127.0.0.1', 'node', '36862ed0-7331-44fa-96c0-1802eb879a54', NULL, 1, '{"method": "email_password", "channel": "email", "operation": "requestPasswordReset"}', '1r_sSFHOtVUICUcrUTuDj3VCh9dP5g4xbsRaYhhvZMI', 'Rx2KorWH9vr74bvEDZ6w507jMxSK00rRJ-1I1vwfHFY', '2027-02-22 00:26:18.914+00', 81);
INSERT INTO public.audit_record VALUES ('01a20af2-43a6-733e-9b90-dbeb9675ec82', '2026-11-24 00:26:18.918+00', 'user.created', 'success', NULL, 'visitor', NULL, 'user', '01a20af2-43a6-733e-9b90-dbe88c6d78ea', NULL, NULL, NULL, '127.0.0.1', 'node', '5f0d7f1d-d430-4528-8293-7021a6a67c8b', NULL, 1, '{"method": "email_password", "operation": "signUpEmail"}', '0yiKLVuFhiiFdUDKG6pmVOl1ovhXKIQFbrdEnMxZBLY', 'lAE1HlECY7uq_BQruiHx1ad6oyyEh6DCAI8EKmRWFUU', '2027-11-24 00:26:18.918+00', 87);
INSERT INTO public.audit_record VALUES ('01a20af2-43a6-733e-9b90-dbec4bee334a', '2026-11-24 00:26:18.918+00', 'credential.added', 'success', NULL, 'visitor', NULL, 'user', '01a20af2-43a6-733e-9b90-dbe88c6d78ea', NULL, NULL, NULL, '127.0.0.1', 'node', '5f0d7f1d-d430-4528-8293-7021a6a67c8b', NULL, 1, '{"id": "01a20af2-43a6-733e-9b90-dbe93108eae0", "kind": "credential", "method": "email_password", "operation": "signUpEmail"}', 'b4ZiyGBVHYYU7IMVbzCljzRq63qKcyJRiApMhFge7Sk', 'GpkcE6ZtAP_UYPMEuK4ZyRQ5X-XUxOcyr6t--Fmtnmk', '2027-11-24 00:26:18.918+00', 89);
INSERT INTO public.audit_record VALUES ('01a20af2-43a6-733e-9b90-dbedb3872016', '2026-11-24 00:26:18.918+00', 'sign_in.succeeded', 'success', NULL, 'user', '01a20af2-43a6-733e-9b90-dbe88c6d78ea', 'user', '01a20af2-43a6-733e-9b90-dbe88c6d78ea', NULL, '01a20af2-43a6-733e-9b90-dbeab27213fb', NULL, '127.0.0.1', 'node', '5f0d7f1d-d430-4528-8293-7021a6a67c8b', NULL, 1, '{"method": "email_password", "operation": "signUpEmail"}', '4cgGs8bwawmiRi-kn0k3rBQ3DxtvM1T9rOx14uu0770', '2d96tWhAhSy_yK4dRfbLzlcZPXxENKvuPLkj8gf45mc', '2027-02-22 00:26:18.918+00', 91);
INSERT INTO public.audit_record VALUES ('01a20af2-43a6-733e-9b90-dbee0ee6be87', '2026-11-24 00:26:18.918+00', 'session.opened', 'success', NULL, 'user', '01a20af2-43a6-733e-9b90-dbe88c6d78ea', 'user', '01a20af2-43a6-733e-9b90-dbe88c6d78ea', NULL, '01a20af2-43a6-733e-9b90-dbeab27213fb', NULL, '127.0.0.1', 'node', '5f0d7f1d-d430-4528-8293-7021a6a67c8b', NULL, 1, '{"method": "email_password", "operation": "signUpEmail"}', 'yAPiSs-lBwh0tXXJJxhi_n46kXlCkKBbYWkrZaWjQhg', 'MKYvOMpSL5oga52XHGcA_2HyLPQFAG2W57ku4o5tz40', '2027-02-22 00:26:18.918+00', 93);
INSERT INTO public.audit_record VALUES ('01a20af2-43c0-77fe-a8e9-891db0807330', '2026-11-24 00:26:18.944+00', 'organization.created', 'success', NULL, 'user', '01a20af2-4229-739a-bec0-af47614a3ca6', 'organization', '01a20af2-43bd-7703-aa02-a9b158300336', '01a20af2-43bd-7703-aa02-a9b158300336', '01a20af2-422b-7103-b156-60e2204ad18a', NULL, '127.0.0.1', 'node', 'e2123056-cfc5-48ba-b545-50b13ea34c14', NULL, 1, '{"method": "organization", "operation": "organizationCreate"}', 'ScjWmJCtmPzi4bZX0suSjJK_am-iItaOQQmG0WtxkLk', 'WgVyHZuxlvV9kmKet8dCOCUw-bbrVSzJRq7R9DBt8YM', '2027-11-24 00:26:18.944+00', 108);
INSERT INTO public.audit_record VALUES ('01a20af2-43c0-77fe-a8e9-891e8a6d01f7', '2026-11-24 00:26:18.944+00', 'organization.member_added', 'success', NULL, 'user', '01a20af2-4229-739a-bec0-af47614a3ca6', 'user', '01a20af2-4229-739a-bec0-af47614a3ca6', '01a20af2-43bd-7703-aa02-a9b158300336', '01a20af2-422b-7103-b156-60e2204ad18a', NULL, '127.0.0.1', 'node', 'e2123056-cfc5-48ba-b545-50b13ea34c14', NULL, 1, '{"role": "owner", "method": "organization", "operation": "organizationCreate"}', 'j7sc4GBvABBWrGju02PIFLJFPnpils0NQjY_kvJlPg4', 'dCIt46QHVQqGmN73V0e_UrUq2PUJeTEx_XLAO0fHtJk', '2027-11-24 00:26:18.944+00', 110);
INSERT INTO public.audit_record VALUES ('01a20af2-43c3-7094-8fba-3ffa1d9b9543', '2026-11-24 00:26:18.947+00', 'user.created', 'success', NULL, 'visitor', NULL, 'user', '01a20af2-43c3-7094-8fba-3ff71dd77584', NULL, NULL, NULL, '127.0.0.1', 'node', '0c90df7a-c357-4fc1-ae13-19aa48ee1874', NULL, 1, '{"method": "email_password", "operation": "signUpEmail"}', 'dLSyDEuHAcGuD4j2yp2-1r4m8oJXAiDU0QI4GXwCCek', '0Xvz1Y9tIoSAZMaqysLTkUK5R5p_RAtQ0JytfrkVbHA', '2027-11-24 00:26:18.947+00', 115);
INSERT INTO public.audit_record VALUES ('01a20af2-43c3-7094-8fba-3ffb33bab935', '2026-11-24 00:26:18.947+00', 'credential.added', 'success', NULL, 'visitor', NULL, 'user', '01a20af2-43c3-7094-8fba-3ff71dd77584', NULL, NULL, NULL, '127.0.0.1', 'node', '0c90df7a-c357-4fc1-ae13-19aa48ee1874', NULL, 1, '{"id": "01a20af2-43c3-7094-8fba-3ff890f5ab7c", "kind": "credential", "method": "email_password", "operation": "signUpEmail"}', '2ckW7hsRSABuVLDyKJXxvEtD4BG4XKxeWftdgHnRIxQ', 'TnvwRs9nXzf-Qz8U_vFXT3C3M03Cqc1dgIjdUG_fY0o', '2027-11-24 00:26:18.947+00', 117);
INSERT INTO public.audit_record VALUES ('01a20af2-43c3-7094-8fba-3ffcb9ade09d', '2026-11-24 00:26:18.947+00', 'sign_in.succeeded', 'success', NULL, 'user', '01a20af2-43c3-7094-8fba-3ff71dd77584', 'user', '01a20af2-43c3-7094-8fba-3ff71dd77584', NULL, '01a20af2-43c3-7094-8fba-3ff9e0edd725', NULL, '127.0.0.1', 'node', '0c90df7a-c357-4fc1-ae13-19aa48ee1874', NULL, 1, '{"method": "email_password", "operation": "signUpEmail"}', 'yO1XF5LaYuzMK6abgezErXDFm32k_fZ0I9TDLRS7iOY', 'DROHyTvJrFREBNZ80o5GoIvXPPfTQY0hyTSUTEtki7s', '2027-02-22 00:26:18.947+00', 119);
INSERT INTO public.audit_record VALUES ('01a20af2-43c3-7094-8fba-3ffdee465890', '2026-11-24 00:26:18.947+00', 'session.opened', 'success', NULL, 'user', '01a20af2-43c3-7094-8fba-3ff71dd77584', 'user', '01a20af2-43c3-7094-8fba-3ff71dd77584', NULL, '01a20af2-43c3-7094-8fba-3ff9e0edd725', NULL, '127.0.0.1', 'node', '0c90df7a-c357-4fc1-ae13-19aa48ee1874', NULL, 1, '{"method": "email_password", "operation": "signUpEmail"}', 'fONtSMw7-FiQoyRpkhqJ4Xvi46wVrl-L49HaEfBqR0g', 'LSculhZyzYV7UeLlkVbGXpm25brDwTgNNq0jcEbatus', '2027-02-22 00:26:18.947+00', 121);
INSERT INTO public.audit_record VALUES ('01a20af2-4435-7462-bdae-dd43d31ace7a', '2026-11-24 00:26:19.061+00', 'user.email_verified', 'success', NULL, 'visitor', NULL, 'user', '01a20af2-43c3-7094-8fba-3ff71dd77584', NULL, NULL, NULL, '127.0.0.1', 'node', 'db3382da-4a54-4f6d-9a6d-3522946102b4', NULL, 1, '{"method": "email_verification", "operation": "verifyEmail"}', 'eDraxTL0IcRHtpjINpyKSuGCx8RitRHPjikWoZVJdmU', 'yREj4gI_4Neqe2aneiXOCjlqAKj3zaqDL6TJGifTv0c', '2027-11-24 00:26:19.061+00', 128);
INSERT INTO public.audit_record VALUES ('01a20af2-4435-7462-bdae-dd44c946d8a5', '2026-11-24 00:26:19.061+00', 'credential.removed', 'success', NULL, 'visitor', NULL, 'user', '01a20af2-43c3-7094-8fba-3ff71dd77584', NULL, NULL, NULL, '127.0.0.1', 'node', 'db3382da-4a54-4f6d-9a6d-3522946102b4', NULL, 1, '{"id": "01a20af2-43c3-7094-8fba-3ff890f5ab7c", "kind": "credential", "method": "email_verification", "operation": "verifyEmail"}', '4hQX8iWypWSmcN1NFsJqyElUrQqPc29lmItOPftflH0', 'h-HHd8C0OvI1hQChOm4dzB1du8gCzv2pFsq_Q3pwAgg', '2027-11-24 00:26:19.061+00', 130);
INSERT INTO public.audit_record VALUES ('01a20af2-4441-720a-9ba2-9581b75d8cc9', '2026-11-24 00:26:19.073+00', 'invitation.created', 'success', NULL, 'user', '01a20af2-4229-739a-bec0-af47614a3ca6', 'organization', '01a20af2-43bd-7703-aa02-a9b158300336', '01a20af2-43bd-7703-aa02-a9b158300336', '01a20af2-422b-7103-b156-60e2204ad18a', NULL, '127.0.0.1', 'node', 'bb3565dc-ccb7-44e1-b20f-92b84415ac6f', NULL, 1, '{"role": "member", "method": "organization", "operation": "organizationInvite", "invitation": "01a20af2-443b-73ea-99be-fad481bcf383"}', 'beKcI1ANfVEd8_0XuuOjrUh-NxEHQ2qcIyLsFCjNXrA', 'cwx2xhKIj5HEDMWEGEAgd-EYPPxTfuuWmFji-Yn2uVk', '2027-11-24 00:26:19.073+00', 135);
INSERT INTO public.audit_record VALUES ('01a20af2-444b-7308-a1da-5a7e893f6594', '2026-11-24 00:26:19.083+00', 'invitation.created', 'success', NULL, 'user', '01a20af2-4229-739a-bec0-af47614a3ca6', 'organization', '01a20af2-43bd-7703-aa02-a9b158300336', '01a20af2-43bd-7703-aa02-a9b158300336', '01a20af2-422b-7103-b156-60e2204ad18a', NULL, '127.0.0.1', 'node', '520caddd-cda9-4242-9814-473ed10537ba', NULL, 1, '{"role": "member", "method": "organization", "operation": "organizationInvite", "invitation": "01a20af2-4447-75cb-aa45-a77bb9f42fef"}', 'PyCvjbKrbu5N7dHO7xE08U4AuGK3pXavm_8zw3MpWjk', 'mYcnjPCxX00g44TdqvigcKL6sac_dAgmWse5F9JOeIg', '2027-11-24 00:26:19.083+00', 141);
INSERT INTO public.audit_seal VALUES ('000000000001', '2026-11-24', '2026-11-24 00:26:23.497+00', '[["01a20af2-422c-74ce-a4f2-d2756281a00e", "3Pt2VvyJ5UfqsefHgEjBH-BWm8_AQ0jtot1Rucjcw6M", 1827015978540], ["01a20af2-422c-74ce-a4f2-d276f08183bb", "gEikiTJJg3y3WYv3cR3GzjZBHLqF9kYHy4AwkXde28k", 1827015978540], ["01a20af2-422c-74ce-a4f2-d277af5a0f2d", "YXryKLT3frdKIUcg4L-DDdxYoJWrF9IpidG0SxTnczI", 1803255978540], ["01a20af2-422c-74ce-a4f2-d27875832cb2", "fMKs-TJwWOErV8fwJsMzSEl9MgQwMh3tE8704ZxtEtA", 1803255978540], ["01a20af2-42e6-7516-bef6-d285f83fe859", "RdmFMUj-8tQrtMQzc2VgCK44bw9U20CqUcJ5A45yw0c", 1827015978726], ["01a20af2-42e6-7516-bef6-d28683579775", "8wAa1PZRQqHZoaDqNBgrOHZ-USX1kS3wlnQNmftmygw", 1827015978726], ["01a20af2-42ed-71ad-b418-d645e5c27f58", "ux4iy7UDtSnUmmXycu9C-lgAVyrxBdgy75PevfsnQgg", 1827015978733], ["01a20af2-42ed-71ad-b418-d646233c4303", "lMD6fmgOrZTaYvQ1i2YDcF9JXupMAauZmDbRFiAuhZM", 1827015978733], ["01a20af2-42ed-71ad-b418-d647fe7207f2", "vayKtiLnewAjtSw4ckcHGMnpZPGNTfcXa32vWZ1sIV8", 1803255978733], ["01a20af2-42ed-71ad-b418-d6486cacd0a1", "XDq9fZZ9SGHnBCa1DjmrCZPbz8Y1ZaSUeJZaNm2pwTc", 1803255978733], ["01a20af2-4362-7793-972e-0e62ab735388", "bBE4_yqB_mJbA7QZureK5RSl4T36hLLT5_cdVe6MDwU", 1827015978850], ["01a20af2-4362-7793-972e-0e630f3f7e66", "zaJkO49D5lW6AsTpb_7-a0uxuy_pwZit2xEcSasUjg4", 1827015978850], ["01a20af2-437d-72d6-aa3f-9895013870c9", "M5gsvx6GLPc9tZVoPdX5K4LJjwETio2so_7YCFvKwO0", 1827015978877], ["01a20af2-437d-72d6-aa3f-9896ba240d71", "h8J2t09rXvltNmUb03tp4S5UekGNhVdzvNEesAxVF80", 1803255978877], ["01a20af2-438a-706a-bee0-2be5f7c2f0cf", "Su1ujiSyV2vOAhrrnmvpq-A7U4kjk3oUTUk3QrMxMsA", 1803255978890], ["01a20af2-438f-75b5-a4b6-be3054f382e0", "_Rp8dLmVyl4SlOfJ0t-phTfC7NqA32M30pz6Y0uPfJU", 1827015978895], ["01a20af2-438f-75b5-a4b6-be315da7128d", "--ivfm8AVWbdXFgMwChptZ3-ReeHYRt1JEElbL5lb0E", 1827015978895], ["01a20af2-438f-75b5-a4b6-be323c0dc157", "ZZP8hZcTmvNnFqo6SrH7vPMxeRQ-6SjaHE3tRCUmg6c", 1803255978895], ["01a20af2-438f-75b5-a4b6-be33381aa325", "r1QMPfukIaWG6rPqg983Xy4Hu9CvqKG31LG8myqCIbg", 1803255978895], ["01a20af2-4397-7284-9cb3-4eaa2ccceb20", "REmNEkq_f4SdpAmZirLeGU43ogxMREZSKtZwTmco5yo", 1827015978903], ["01a20af2-4397-7284-9cb3-4eabca222563", "JGoYueXXjGG9LxcgmN5aSRQCKp66umPO7MyNKcwPjAY", 1827015978903], ["01a20af2-4397-7284-9cb3-4eac180b291e", "jp08GM2sSAxN4ycjIWlERbXs4G_Fec_q1Qa1_Fuc0cs", 1803255978903], ["01a20af2-4397-7284-9cb3-4eaded9362ae", "Ff-Uk7GIJ6fXdN7RxYzQn3Apdgm7pVeH1bCbiAcXiqA", 1803255978903], ["01a20af2-43a2-7716-b273-336cc40edfaf", "AyChP3n7_v-Ed1ZFcGMxp-T9QVknGdAfM_krfshxiO0", 1803255978914], ["01a20af2-43a6-733e-9b90-dbeb9675ec82", "HGSZxfKdTM-dg3huiQE0CFwI3hGNp-Nuw867EgcrWx4", 1827015978918], ["01a20af2-43a6-733e-9b90-dbec4bee334a", "DdA1xroTqZaGEPd-69LQjrtPKdFOE2JJU_6Jx9oBuwk", 1827015978918], ["01a20af2-43a6-733e-9b90-dbedb3872016", "r9bDbuE5un5uLKJaJf7RDHoUC2YOUtvpqOsdlt0mw7Q", 1803255978918], ["01a20af2-43a6-733e-9b90-dbee0ee6be87", "iYAKUAtE4NwhuY5i9_tmOKLqbu923441pCZnVXbOAQI", 1803255978918], ["01a20af2-43c0-77fe-a8e9-891db0807330", "xI0IOxlMmmkOWiIrccwtiGX47AewmqYqXau5kWVdV1I", 1827015978944], ["01a20af2-43c0-77fe-a8e9-891e8a6d01f7", "YvyLA8i5TmUrfCmyF2Bn2YRH0syA22bwMtVZ8wvrnOg", 1827015978944], ["01a20af2-43c3-7094-8fba-3ffa1d9b9543", "e2B-ZU7AsXfMaoiLDratpSMw8hC8tkXNR-lQ7TIO1P8", 1827015978947], ["01a20af2-43c3-7094-8fba-3ffb33bab935", "7mET7gTiNx1w02RAypdeY2qWu1KSDiZKY33H4ZWq5-w", 1827015978947], ["01a20af2-43c3-7094-8fba-3ffcb9ade09d", "dVkE-yW7xe0s5Ae7MagQXyMzD1WSCxdX6P_TVJJMkDU", 1803255978947], ["01a20af2-43c3-7094-8fba-3ffdee465890", "iRfwSpdnSkAWuAi0pB3xqsCXNui1JX1X-tkLVE4_CAE", 1803255978947], ["01a20af2-4435-7462-bdae-dd43d31ace7a", "TWgliCeh7hoPNjlf0ebv4Ewsqwl6Jb7v1MzIlsQQKY4", 1827015979061], ["01a20af2-4435-7462-bdae-dd44c946d8a5", "c5_mMUWQ_Qb0NPzGYhR7KJyP0y85N7vp3uqWu-NnMCc", 1827015979061], ["01a20af2-4441-720a-9ba2-9581b75d8cc9", "s64gmGTUYpCD4m4_AYd293y-wiv2ogOTIFIu7tp6fvY", 1827015979073], ["01a20af2-444b-7308-a1da-5a7e893f6594", "UzOT4NKFKokTXpAMo3U7HX627QW0FNGSmOTydG4ZGYk", 1827015979083]]', '', 0, 'qOZZhHewRiaHdaGtabHYB7-d_6ilNXnOzQbtdZ8oodE', '1FJSEpP7lAVp_ZLCNwEl_w9pIdNG9zrFBXIWrPepO0g', 'JwcLdiTO', '2027-11-25 00:26:19.083+00', 147);
INSERT INTO public.email_code VALUES ('frank@example.com', 'm_xt9hMy9SxiKfrPkhHSYS9UYKdL_Cx51_J66OulfOw', 0, '2026-11-24 00:31:18.931+00', 99);
INSERT INTO public.held_up_sign_in VALUES ('Ph9A0H_O0ynWSPc_0Xt31fEuIC8lgn4971q3gt7weK8', 'two_factor', '01a20af2-42ec-739e-9299-a3ae003a90ee', 43, 'single_factor', NULL, '/sign-in/email', NULL, false, 'pwd', 0, '2026-11-24 00:31:18.89+00', 51);
INSERT INTO public.invitation VALUES ('rLFL0xFUGzLBQ-rd7GBFzMWuN2nnAaXHtG6leeHfHX0', '01a20af2-43bd-7703-aa02-a9b158300336', 'ivan@example.com', 'member', 'pending', '01a20af2-4229-739a-bec0-af47614a3ca6', '2026-12-01 00:26:19.067+00', '2026-11-24 00:26:19.067+00', '01a20af2-443b-73ea-99be-fad481bcf383', 133);
INSERT INTO public.invitation VALUES ('jnvxFjvrekWkuPyN1NsxpK-FQ2hGhJQ2efesiHWJ1Xg', '01a20af2-43bd-7703-aa02-a9b158300336', 'later@example.com', 'member', 'pending', '01a20af2-4229-739a-bec0-af47614a3ca6', '2026-12-01 00:26:19.079+00', '2026-11-24 00:26:19.079+00', '01a20af2-4447-75cb-aa45-a77bb9f42fef', 139);
INSERT INTO public.magic_link VALUES ('erin@example.com', 'CGXcR8ioyWWkVKhF6Dcsg0_IpwX8zD8zqGiwz4ed4pc', '2026-11-24 00:36:18.927+00', 96);
INSERT INTO public.mailed_token VALUES ('-aWDmVWmcBEDL6sS4HvUaYGSQMZiU28p4NkTPWvZujg', 'verify_email', '01a20af2-438f-75b5-a4b6-be2da5c475f2', 'carol@example.com', '2026-11-24 01:26:18.899+00', 65);
INSERT INTO public.mailed_token VALUES ('aFMAa_TcJst5byFVvNxoFTsvO3YuHPRZDIzWXwonbVY', 'reset_password', '01a20af2-4397-7284-9cb3-4ea745bc1df5', 'dan@example.com', '2026-11-24 01:26:18.912+00', 79);
INSERT INTO public.member VALUES ('01a20af2-43bf-736f-b541-1c5c9222e7fd', '01a20af2-43bd-7703-aa02-a9b158300336', '01a20af2-4229-739a-bec0-af47614a3ca6', 'owner', '2026-11-24 00:26:18.941+00', 107);
INSERT INTO public.one_time_token VALUES ('DNrCbqF_jOgFw_jdsKgcfO_PTTRuDmP1-g7HLmVlvbQ', '01a20af2-422b-7103-b156-60e2204ad18a', 'C_66gEC_OG5SMl0yacErG-PZyJRtKB7sy4JvrCcTRQw', '2026-11-24 00:27:19.092+00', 145);
INSERT INTO public.organization VALUES ('01a20af2-43bd-7703-aa02-a9b158300336', 'Engines', 'engines', '2026-11-24 00:26:18.941+00', 138);
INSERT INTO public.outbox VALUES ('01a20af2-444a-7383-9c4d-159153cdce64', '!JwcLdiTO!7Yr0shRMM36sYGm2zGnBrZpwghR8vTtNDbZ02_q9u5BmJ8X_pLfEwqNn2XsPaAMMmny5hRhC7SCLdX0glKv5dHYOZUF0OFvtTApyZS60VkbjeOzwjxYV67rZUmc-EJjtF4SqrZctrZORYeWJTCXF62Y4UcKI4JitPM3e8edM5IT4l-s6y3-ka-ZpxXnCODAbg6p7f3i3UKI4RKgqk9Y4VCGAb_6FwZPK9sneiYeb0V3JGNWn6zfXG7Y-kVFNoOHyeMm85hW32NGt2AFiCYZxUA5S-HDZFlFrYYvhbVT7Nrr5KphPtHSRmOq6DowLU3jdJAozi752_Q-eLjnu0AaSFUxXDJc1H3ZOMu_CzZP4wTH8Yhb8suDFPoCG-VLtQWe4djvPeNSrK-2-e4d5aSClosEV5gbXY-UoldlZ6pLxxly7iAV2WPRiw7I18U06Ct0tT01gTP8WzbND0Y95Gbk0wuQK--QWxrF5FxUMtOfkQB1PSy5B_2CN_XcT6z_zHfEod2DTj-uw0AsND_AEnGoRMSmNQr9mvUungMNjU5Hniqw27lKDxNoZN-BnnflT0MN0jf3XvT85NRdA8wgG7qNqUmu1OdnqPvCJvumcPecik4Ce22NqSRKiV_VjttDGjYKgMUQV3f-S8-Nan-ruIU7wAhALjwfwmPiVHG68qMmw0ZRb-Im6vpbdUsPB--MGGjOfqZWqP4khJc4iKds7h7LidIoPLoqcGfX3_eB49F12bTdZX9K0e1v__9OD3P5CoUKQKKQ_ZGREvFpLP5xYq9wPPCT0yMX5pj2POXOk2LnokP_3jliOaDPskguJRr72PEpAAnV8Da7fQytrsHxy8RA4Hv-kt3Ng4-ESph04FVMCTJ5DQ8RnuXOhHZ10MB3KSAFd2DT7icYkpayVC_ezgRcuXtNFIXrvOAbEl46ZskAr3NXQjwSvgOX7vALbDp-fgEiYoMOo0Dpm9sl2R5WfuW2RJ6n3FoDY_k9LDo_CHe5kNvY_-uDshryYag18UvDa8QVgRp5rPUHya-DeV_1go37i-EB7XHnrtFV0D9BVBryl4ZoGhb3-itUgqjhUGdKyMAX9iNRojBacb-dJYSqgQGJ4gLEtNC4HvFjLQnxq2xVdlfs9w7PwOOWefVAn8ePo_GjTMDrifFcOsJYfIt4qVnrCpEaOklVXiVU_w2OvODVeMCQkjBPXTVByXdod3vzzQ4FkXTtrFoX4WZQuC5-hFUFGas2e61UzYc98zYnKGk1a1kMlXywwqlhYVccvDKbz4rs7Co3I62yT0Quqv267XoPFh8tYJJXrUtchfWZGHhAq9AQIgEPzLi_4JVSFurs3g8h6iO4u9GvD55Yz9F_RQOZuUg53Gku2wLkaxw8uoY3iK-aoy26Xl3xk23hHh8eAiuyNZIdPL4CUalZhsy17JMLFvkNVzT12znHQWMUt8g_x_tlhd6gAj396av1gB_mLjf99FAydSxX5Vw4FkJJbyl_v3rFwIKtq5LtMtTHnR4Y-pjEfGun8iVfUNI3a7rRtezUBEn0ne0ejWSLhKhygVqViU20TQiz-7ZZEgsjpcxNXZxQXQdxSPSKJBjKeIj_gsxa1niw3ZHPXIpF5eOjVmbIrlEKE10vpQySjmq5kM0btfOdYypwqKPBwcX5MnRvGji9mRrhzJsHV3MzTLdJOpT8v4iFpJJbtsRUcyKZhilkeecxHTwoUW7hbJa3GmJBow5IY_XwQtRjPhxySmiNSa7o27IGMLa2n8lSf6NoxIQJdc9Bhd_KCHyrTNcplW7469jiCjfYinG-Xi7ikOJ-v7C1HdGgCXNY1qQx1_tdPQqRmMYRiEZJfkurGj1gqFsO9CAsKKyJF_bL5A9Es1j19zTiyfuKU2X0SmJ6wi7Qyj098pRU9Kyo3QC2yT1ENRj_XX__frJ7KgPP4nd6Sn92qOhm1u0tm9O4WqOYYNBCrzEzzkRydPw3VTaE3M2_4tCil4O55vl1z2o2IcpZIGWU3Ovvu86KmskQcKTMtWkxfdEUnn-mbB66wJKJBa18qMoHv3pD-KSIsDJAWpNeThNzaM-FZBUuGA5fVnlhxBcB5DPOOoYDSGtRn6RyxC4FKS6Yp_0RBkAcqAOYzGaX8Wqf9Enb64BeAUGS3qyI5uJL68bo7OhdzjscPiaqAbyuypm6pacuyIiBBNWLNMDd9DDQeb3U0CRu1O0sq1IcTMsdzwAv119VaeT3_KJ1ryXE1PYPKdur0yI60DmdrMgb6AtSdZH7WOagmKq6rrr60F7Qh_d3gnKOdBDoo4WZ5qhPwRw7bbaxvAWzItb9_leMT1G_Tjz_h7V1WfovwDWEIMGh75GU2EtnW1rFa33Lr7iFOAFZCIuudu7D0P60zXCmIHo0Eqq5jfr1fkK89aIRzXyvu2e71RarEl5GoUVOtYvoYvhd2Chm7FmpJf7OfYD9UvaAm7EnPivuQvrBKm48Yn_-MLZsZHF0PARZPRUqIrEkCrfRcMDLfYA3ZuEFpnrQRaNeM-Mvs0-kFiI4wceFShsn0TARFhVGalh0JU10MRv5LgN7ltD7MjsxX9ZEALl8X7wevK924s24bDLfWv1KQIerOtfR8sxqynd1itL2qZ9nMMDsd9VXtZoJLscUBGJsmX4Cpte4UDSrAfm95eWAHF-AvQLDMKShw3W2X_JrydSd9hdq_jqh5BaPPpwmsyfwgdBCJO7GbejYyYnLYfFTGHS0v3ATDujMFyo2JbewjrNb3VFBASqgbjL3CPoojToa14quK6Jxz8B8OvemMl9-Ekw6UkaP4pYQcHRLkDkqgtF_xFubDx0r8sK4dnRffeFCxIXDzo3unRH9kcfi_dyv5kDqqG4-HnkV_MBaHuXeTdGBL81Q11GE3dcX0qteIfFEf6C2L97J7VvfaovK_cmBOqGl7DJyKhCqR4RHdZkoamylMU_Xe_kFfPPEwftryFU14xpesrW-BGmGHyirUnMuLfWfOD7mtz5LGmCVUIve8RQ9QMuJvo3UzlNrTd4r1_Gv1Wmkpr5Uilk3FJ9XFrx_Gc4baPgIfnuwtv1hWhikQAZT6nolOuVIVi5oUKNJkrgeW_wXInhuuuDxlP2w0Lc-3DV0tqx8b8yzHzDjEQC4ZWINMMYoFqbzESgm-fbTlnR-9jhd7-59ae-zk103EjUqbFkkERIZrr-ZTbXXK7ZHlkxNTbAWN7-XdbiOTJ-bLvn_XDbd00tAJOopiNcVZJ1ZWzHFuWI_Z__scDGUoQslpKSr6cYjv8Pecae8LysrgkLEcQ1xmG1W2JHDB40ikjwbaC3Vsopbh7FSc3bBBOvUMAHLWkvcEv57o9WUl1wOUEiPCaNr-l3WoHnJB1yepl1NeN1JvYMz_DbOl84gBz8vfeU9PJjauUUBuwm9ZZ5xz1WWl-GGmwc-sPNqvwjtkPfuw6QVLE2UU5Uy6nVlWES5AxBJRnVlS4c6YGIUc997yfDXGe31RYM5BPe3-bddPezDJBCkOuRQpAColJB9yr3OZQNukOFyrWFwzzVm-juUMnZvaNMaREdjYsitwEG69CNdlQTINmt8zPcE8nmsJQvv9iee4M_1eTbERq6y4pzwtOA4JWlVacXSkIv9ylWHHt2MCEfCFpyOZSN8jEKQYg4gk2-19NRp5G-SFOLVeHERjEFlPzGz04RqBCzJHdQLh7YkTZ31Gz3U45Qxi50Gh9AJ8UbymD3Nvl2zUXPyhMLhFh1iC2w3KANEOwvDRHwzMXcqP0aConvmBFM2T0IUI_ci-iNm7onxXesCNzOs-8tp-z5hGztp4ONVQUPwd1zlMm4TLHUt36uZWGvRKx6wsVGQDqIgtCaXZnjfua8nUO9B5XPK_5mkTyLVa91Q2TKGxuBc0mMRTmsLnYGjC3hR0QoscBoXRJjEDoLfAbIJ6V5GLyUS89JcYml5MFLkNQgFZlXNKADjCLwAXWn_eINODyZs9uJd7kEcFYR_zW4M48DsRebn8wBSpkJtybwrjaN_YDwzxJ6Stg7wnsJUsw8YAmauuVVRd58Nkogn17m6Y3MFTGjqEphtrnN8L2eVcZmVBL-LWIYmngE8Csl03D8VC5ASyBuNMxScv8LjYf5g3AUcT8KWXSB5ubr9uZcFi8I3xL7Rhl03qgpgrAzSAG-DkP4v_WYqjFt-8mEzaZMlMsIbNEuifEeNsysJ2EKk8HXltPyYCDZCy2NT5aPSvWGmX6f6KBNFl6Mfz2mEPYKK3w3ghbTFnyGzQAT-dwLDv6VQ4f4ulJnL9DAEdYWGfS5Swa69_xh8905ygqst9Q9Wc6LffmItBq48zaB7D4kG8SE6L6pAIX9XZ-lStTMIa0A0vqPcSTnSc07msNYnYzI_KMueGq6FYvPubPcgA-a9fJGxQnWf8DouPgc80RygaSvMbBAfLqVjeA3M6ZNO7C5zBxB_5ll8Boe8ePyO1GdcLwmJ4JLKdGzspUJcwi8RXKQTN9J5w7NaQRTkNT7Ljzcnqxm_LhOJntUSIRZQ3QMabLARjVERuOTzf0L9eOxnd5QO2QnsRX_LPGyn5ctz8JnVxbRslSkIHJuilxhUc9eyRgTMJzXPLHFAD0Yo8lfKwr6Zg7XDgRa5i-7_c2KKNYijF_AwEjd2oLBlycRRPhXWJEDo_6TfyV0XOffo2rAE0EM-y4vR4xrz9hdBT42camwO8sacd3qmTnR1-kdozcDlxpbTSb8tV5MWBl2Sxs3BkH5UnM7EJSUqd28fCvp9-boFqIjP-9XgrTsRvTffZXfvONLqtatlNNgSgcrlUgoSIq0D1p0a8cXowA4ZrDRTt1FoVCBKcqrtFzx7SVwEqDEt7BAF-m55D1jib8DYcSnbBV_Uvuvai_aLKHfS3W9BDxK800gjKjsqWLJqoJjVXSCPCOxqwCfCZ75sa7oxmehRqjzCgRYRO-SCmqgYh-KPTqFXMzHIaKidNxSoBV3hdZaLokU0S9UPyhi7KrWYfHbRjnnSCZvyAYaj4XjvjAL_3S9__yddg2QtXn_6hVpowhtKlZ6rQ7aEx9DyK5RBXbBsyL7mcbifLgK8ffJA5TE3opzr3YaroRleacF6ny28rGQCe9kyZfN0B_DlWwRT77n7ZJ-gqXIJRNT-KpzX0JoWCsSUaTIw7HlzD5uqgkWBUApyCu5CnU6-oZw4LuBRUi8ZWPZc33uAHE_lriJ2dk1hBwUUga38Z4GA8AaLgZlaa0eJrDe_0AtCsfeZJwM8', 2, '2026-11-24 00:26:19.082+00', '2026-11-24 00:26:33.81+00', '2026-11-25 00:26:19.082+00', 'Error', 149);
INSERT INTO public.phone_code VALUES ('+14155552671', 'iE-aR2yxICBgPy_ASSiQPKto2k58pGohXA80fo8lY0U', 0, '2026-11-24 00:31:18.936+00', 102);
INSERT INTO public.session VALUES ('01a20af2-422b-7103-b156-60e2204ad18a', '2026-12-01 00:26:18.537+00', '2026-11-24 00:26:18.537+00', '2026-11-24 00:26:18.537+00', '127.0.0.1', 'node', '01a20af2-4229-739a-bec0-af47614a3ca6', 'C_66gEC_OG5SMl0yacErG-PZyJRtKB7sy4JvrCcTRQw', '2026-11-24 00:26:18.537+00', '2026-11-24 00:26:18.537+00', false, 'pwd', 3);
INSERT INTO public.session VALUES ('01a20af2-42ed-71ad-b418-d644e2f0a58a', '2026-12-01 00:26:18.733+00', '2026-11-24 00:26:18.733+00', '2026-11-24 00:26:18.733+00', '127.0.0.1', 'node', '01a20af2-42ec-739e-9299-a3ae003a90ee', 'XTBk4sk6Wm7C73RezUPGEiYgXB1vle8TTwkdnnINW3g', '2026-11-24 00:26:18.733+00', '2026-11-24 00:26:18.874+00', true, 'otp', 44);
INSERT INTO public.session VALUES ('01a20af2-438f-75b5-a4b6-be2f1e854598', '2026-12-01 00:26:18.895+00', '2026-11-24 00:26:18.895+00', '2026-11-24 00:26:18.895+00', '127.0.0.1', 'node', '01a20af2-438f-75b5-a4b6-be2da5c475f2', 'nO6YzqdDY_KKUGVnfWoRbr1S8lgNrUBBGSMdZ7hdTmM', '2026-11-24 00:26:18.895+00', '2026-11-24 00:26:18.895+00', false, 'pwd', 56);
INSERT INTO public.session VALUES ('01a20af2-4397-7284-9cb3-4ea94f6aaa6a', '2026-12-01 00:26:18.903+00', '2026-11-24 00:26:18.903+00', '2026-11-24 00:26:18.903+00', '127.0.0.1', 'node', '01a20af2-4397-7284-9cb3-4ea745bc1df5', 'iGBOAKoHvpQO25cDDSn6bhuclyPMX_M6TnRzGB8Tsjc', '2026-11-24 00:26:18.903+00', '2026-11-24 00:26:18.903+00', false, 'pwd', 70);
INSERT INTO public.session VALUES ('01a20af2-43a6-733e-9b90-dbeab27213fb', '2026-12-01 00:26:18.918+00', '2026-11-24 00:26:18.918+00', '2026-11-24 00:26:18.918+00', '127.0.0.1', 'node', '01a20af2-43a6-733e-9b90-dbe88c6d78ea', 'u6qRWoXtPm-Ifh6aZ51HtVrW3Y07hFJ74EyzoVvuuhg', '2026-11-24 00:26:18.918+00', '2026-11-24 00:26:18.918+00', false, 'pwd', 86);
INSERT INTO public.session VALUES ('01a20af2-43c3-7094-8fba-3ff9e0edd725', '2026-12-01 00:26:18.947+00', '2026-11-24 00:26:18.947+00', '2026-11-24 00:26:18.947+00', '127.0.0.1', 'node', '01a20af2-43c3-7094-8fba-3ff71dd77584', 'GuLD2J4iXvZi-gnma3HPpu93dUjqUx_10liRVhSb0N4', '2026-11-24 00:26:18.947+00', '2026-11-24 00:26:18.947+00', false, 'pwd', 114);
INSERT INTO public.two_factor VALUES ('01a20af2-42ec-739e-9299-a3ae003a90ee', '!JwcLdiTO!McOm5XPosWC7ca0hisxYd9tapKfk8Qcgm3F8EWteLp_98Zj_--9cnij77HdBq4y_ctJh3gdOgQ', '["app:6io3z5j6Rzh2ecH_EsAh3L_Geg2paTuBZw7_SKBBWkw", "app:H5pN9O4pZBua-casIzhtKkKjnyHDl2MUywFw51zI2eE", "app:vHaEse6GJFlgaOZ0jA3BwBgK9xJHj18uDKe1jHhmn0o", "app:ReQUhWTioZhUXFnoo_ugEwODOW5YU01FRavaQB54dyY", "app:EYhmBEDwaBQodb6_E28PR3j0fPyIx8nbhiM4Z19Pt64", "app:oOPmlnTMieFF72SUnOT2vbWpjlWpDzgONnnd8pqQex0", "app:XkW36qiLFd9toGYUcE5JFGXyOllPnFhRpd2O1uh-kLE", "app:9YN21yQDF5aNNUmERwOOrJsdP76k4MYfdaGMSTf4hDA", "app:l9go9oBIaFL9NPkf7K94tNHPgjLakHtAD_rCVdVNPUs", "app:MP5JaHxG2Uc_KiCoc71b9wtFSbs8MsnSXQvf-cilDxM"]', '[59849332]', 0, NULL, '2026-11-24 00:26:18.873+00', '2026-11-24 00:26:18.865+00', '2026-11-24 00:26:18.873+00', 42);
INSERT INTO public."user" VALUES ('01a20af2-42ec-739e-9299-a3ae003a90ee', 'bob@example.com', true, 'bob', NULL, NULL, '2026-11-24 00:26:18.732+00', '2026-11-24 00:26:18.848+00', NULL, NULL, 'bob', 43);
INSERT INTO public."user" VALUES ('01a20af2-438f-75b5-a4b6-be2da5c475f2', 'carol@example.com', false, 'carol', NULL, NULL, '2026-11-24 00:26:18.895+00', '2026-11-24 00:26:18.895+00', NULL, NULL, 'carol', 54);
INSERT INTO public."user" VALUES ('01a20af2-4397-7284-9cb3-4ea745bc1df5', 'dan@example.com', false, 'dan', NULL, NULL, '2026-11-24 00:26:18.903+00', '2026-11-24 00:26:18.903+00', NULL, NULL, 'dan', 68);
INSERT INTO public."user" VALUES ('01a20af2-43a6-733e-9b90-dbe88c6d78ea', 'heidi@example.com', false, 'heidi', NULL, NULL, '2026-11-24 00:26:18.918+00', '2026-11-24 00:26:18.918+00', NULL, NULL, 'heidi', 84);
INSERT INTO public."user" VALUES ('01a20af2-4229-739a-bec0-af47614a3ca6', 'ada@example.com', true, 'ada', NULL, NULL, '2026-11-24 00:26:18.537+00', '2026-11-24 00:26:18.722+00', NULL, NULL, 'ada', 105);
INSERT INTO public."user" VALUES ('01a20af2-43c3-7094-8fba-3ff71dd77584', 'ivan@example.com', true, 'ivan', NULL, NULL, '2026-11-24 00:26:18.947+00', '2026-11-24 00:26:19.06+00', NULL, NULL, 'ivan', 126);
INSERT INTO public.username VALUES ('01a20af2-43ac-704a-bba7-78a7b3cf0d69', '01a20af2-43a6-733e-9b90-dbe88c6d78ea', 'heidi', 'heidi', '2026-11-24 00:26:18.924+00', '2026-11-24 00:26:18.924+00', 95);
SELECT pg_catalog.setval('public.sallyport_revision', 149, true);
ALTER TABLE ONLY public.account
    ADD CONSTRAINT account__pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.active_organization
    ADD CONSTRAINT active_organization__pkey PRIMARY KEY (user_id);
ALTER TABLE ONLY public.audit_chain
    ADD CONSTRAINT audit_chain__pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.audit_day
    ADD CONSTRAINT audit_day__pkey PRIMARY KEY (day);
ALTER TABLE ONLY public.audit_erasure
    ADD CONSTRAINT audit_erasure__pkey PRIMARY KEY (user_id);
ALTER TABLE ONLY public.audit_record
    ADD CONSTRAINT audit_record__pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.audit_seal
    ADD CONSTRAINT audit_seal__pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.audit_unsealed
    ADD CONSTRAINT audit_unsealed__pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.email_code
    ADD CONSTRAINT email_code__pkey PRIMARY KEY (recipient);
ALTER TABLE ONLY public.email_step_up_code
    ADD CONSTRAINT email_step_up_code__pkey PRIMARY KEY (recipient);
ALTER TABLE ONLY public.held_up_sign_in
    ADD CONSTRAINT held_up_sign_in__pkey PRIMARY KEY (hash);
ALTER TABLE ONLY public.import_record
    ADD CONSTRAINT import_record__pkey PRIMARY KEY (key);
ALTER TABLE ONLY public.import_run
    ADD CONSTRAINT import_run__pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.invitation
    ADD CONSTRAINT invitation__pkey PRIMARY KEY (reference);
ALTER TABLE ONLY public.magic_link
    ADD CONSTRAINT magic_link__pkey PRIMARY KEY (email);
ALTER TABLE ONLY public.mailed_token
    ADD CONSTRAINT mailed_token__pkey PRIMARY KEY (hash);
ALTER TABLE ONLY public.member
    ADD CONSTRAINT member__pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.one_time_token
    ADD CONSTRAINT one_time_token__pkey PRIMARY KEY (hash);
ALTER TABLE ONLY public.organization
    ADD CONSTRAINT organization__pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.outbox
    ADD CONSTRAINT outbox__pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.outbox_dead
    ADD CONSTRAINT outbox_dead__pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.phone_code
    ADD CONSTRAINT phone_code__pkey PRIMARY KEY (recipient);
ALTER TABLE ONLY public.rate_limit
    ADD CONSTRAINT rate_limit__pkey PRIMARY KEY (key);
ALTER TABLE ONLY public.removal
    ADD CONSTRAINT removal__pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.session
    ADD CONSTRAINT session__pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.team
    ADD CONSTRAINT team__pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.team_member
    ADD CONSTRAINT team_member__pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.two_factor
    ADD CONSTRAINT two_factor__pkey PRIMARY KEY (user_id);
ALTER TABLE ONLY public."user"
    ADD CONSTRAINT user__pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.username
    ADD CONSTRAINT username__pkey PRIMARY KEY (id);
CREATE UNIQUE INDEX account__provider_id__account_id__key ON public.account USING btree (provider_id, account_id);
CREATE INDEX account__user_id__idx ON public.account USING btree (user_id);
CREATE INDEX active_organization__member_id__idx ON public.active_organization USING btree (member_id);
CREATE INDEX active_organization__organization_id__idx ON public.active_organization USING btree (organization_id);
CREATE INDEX audit_record__actor_id__id__idx ON public.audit_record USING btree (actor_id, id);
CREATE INDEX audit_record__expires_at__idx ON public.audit_record USING btree (expires_at);
CREATE INDEX audit_record__organization_id__id__idx ON public.audit_record USING btree (organization_id, id);
CREATE INDEX audit_record__subject_id__id__idx ON public.audit_record USING btree (subject_id, id);
CREATE INDEX audit_record__type__id__idx ON public.audit_record USING btree (type, id);
CREATE INDEX audit_seal__expires_at__idx ON public.audit_seal USING btree (expires_at);
CREATE INDEX email_code__expires_at__idx ON public.email_code USING btree (expires_at);
CREATE INDEX email_step_up_code__expires_at__idx ON public.email_step_up_code USING btree (expires_at);
CREATE INDEX held_up_sign_in__expires_at__idx ON public.held_up_sign_in USING btree (expires_at);
CREATE INDEX held_up_sign_in__user_id__idx ON public.held_up_sign_in USING btree (user_id);
CREATE INDEX import_record__run_id__key__idx ON public.import_record USING btree (run_id, key);
CREATE INDEX import_record__user_id__idx ON public.import_record USING btree (user_id);
CREATE INDEX invitation__expires_at__idx ON public.invitation USING btree (expires_at);
CREATE UNIQUE INDEX invitation__id__key ON public.invitation USING btree (id);
CREATE INDEX invitation__inviter_id__idx ON public.invitation USING btree (inviter_id);
CREATE INDEX invitation__organization_id__email__status__reference__idx ON public.invitation USING btree (organization_id, email, status, reference);
CREATE INDEX invitation__organization_id__status__reference__idx ON public.invitation USING btree (organization_id, status, reference);
CREATE INDEX magic_link__expires_at__idx ON public.magic_link USING btree (expires_at);
CREATE UNIQUE INDEX magic_link__hash__key ON public.magic_link USING btree (hash);
CREATE INDEX mailed_token__expires_at__idx ON public.mailed_token USING btree (expires_at);
CREATE INDEX mailed_token__user_id__idx ON public.mailed_token USING btree (user_id);
CREATE INDEX member__organization_id__id__idx ON public.member USING btree (organization_id, id);
CREATE INDEX member__organization_id__role__id__idx ON public.member USING btree (organization_id, role, id);
CREATE UNIQUE INDEX member__organization_id__user_id__key ON public.member USING btree (organization_id, user_id);
CREATE INDEX member__user_id__id__idx ON public.member USING btree (user_id, id);
CREATE INDEX one_time_token__expires_at__idx ON public.one_time_token USING btree (expires_at);
CREATE INDEX one_time_token__session_id__idx ON public.one_time_token USING btree (session_id);
CREATE UNIQUE INDEX organization__slug__key ON public.organization USING btree (slug);
CREATE INDEX outbox__due_at__idx ON public.outbox USING btree (due_at);
CREATE INDEX outbox_dead__expires_at__idx ON public.outbox_dead USING btree (expires_at);
CREATE INDEX phone_code__expires_at__idx ON public.phone_code USING btree (expires_at);
CREATE INDEX rate_limit__expires_at__idx ON public.rate_limit USING btree (expires_at);
CREATE INDEX session__expires_at__idx ON public.session USING btree (expires_at);
CREATE UNIQUE INDEX session__token_hash__key ON public.session USING btree (token_hash);
CREATE INDEX session__user_id__created_at__idx ON public.session USING btree (user_id, created_at);
CREATE INDEX team__organization_id__id__idx ON public.team USING btree (organization_id, id);
CREATE INDEX team_member__member_id__idx ON public.team_member USING btree (member_id);
CREATE INDEX team_member__team_id__id__idx ON public.team_member USING btree (team_id, id);
CREATE UNIQUE INDEX team_member__team_id__member_id__key ON public.team_member USING btree (team_id, member_id);
CREATE INDEX two_factor__secret__idx ON public.two_factor USING btree (secret);
CREATE INDEX user__created_at__id__idx ON public."user" USING btree (created_at, id);
CREATE UNIQUE INDEX user__email__key ON public."user" USING btree (email);
CREATE INDEX user__search_name__idx ON public."user" USING btree (search_name);
CREATE UNIQUE INDEX username__user_id__key ON public.username USING btree (user_id);
CREATE UNIQUE INDEX username__username__key ON public.username USING btree (username);
