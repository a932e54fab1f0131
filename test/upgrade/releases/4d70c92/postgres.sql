--
-- PostgreSQL database dump
--


-- Dumped from database version 15.18 (Debian 15.18-0+deb12u1)
-- Dumped by pg_dump version 15.18 (Debian 15.18-0+deb12u1)

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

--
-- Name: sallyport_revision; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.sallyport_revision
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: access_token; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.access_token (
    hash text NOT NULL COLLATE pg_catalog."C",
    code_hash text COLLATE pg_catalog."C",
    session_id text COLLATE pg_catalog."C",
    family_id text COLLATE pg_catalog."C",
    user_id text COLLATE pg_catalog."C",
    client_id text NOT NULL COLLATE pg_catalog."C",
    scope text NOT NULL COLLATE pg_catalog."C",
    requested jsonb,
    resource text COLLATE pg_catalog."C",
    jkt text COLLATE pg_catalog."C",
    x5t text COLLATE pg_catalog."C",
    consent_id text COLLATE pg_catalog."C",
    member_id text COLLATE pg_catalog."C",
    exchanged_from jsonb,
    actors jsonb,
    issued_at timestamp with time zone,
    expires_at timestamp with time zone NOT NULL,
    revision bigint DEFAULT nextval('public.sallyport_revision'::regclass) NOT NULL
);


--
-- Name: account; Type: TABLE; Schema: public; Owner: -
--

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


--
-- Name: active_organization; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.active_organization (
    user_id text NOT NULL COLLATE pg_catalog."C",
    member_id text NOT NULL COLLATE pg_catalog."C",
    organization_id text NOT NULL COLLATE pg_catalog."C",
    revision bigint DEFAULT nextval('public.sallyport_revision'::regclass) NOT NULL
);


--
-- Name: admin_metadata; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.admin_metadata (
    user_id text NOT NULL COLLATE pg_catalog."C",
    role text NOT NULL COLLATE pg_catalog."C",
    banned boolean NOT NULL,
    ban_reason text COLLATE pg_catalog."C",
    ban_expires timestamp with time zone,
    updated_at timestamp with time zone NOT NULL,
    revision bigint DEFAULT nextval('public.sallyport_revision'::regclass) NOT NULL
);


--
-- Name: audit_chain; Type: TABLE; Schema: public; Owner: -
--

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


--
-- Name: audit_day; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.audit_day (
    day text NOT NULL COLLATE pg_catalog."C",
    number bigint NOT NULL,
    digest text NOT NULL COLLATE pg_catalog."C",
    tag text NOT NULL COLLATE pg_catalog."C",
    key_id text NOT NULL COLLATE pg_catalog."C",
    revision bigint DEFAULT nextval('public.sallyport_revision'::regclass) NOT NULL
);


--
-- Name: audit_erasure; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.audit_erasure (
    user_id text NOT NULL COLLATE pg_catalog."C",
    requested_at timestamp with time zone NOT NULL,
    revision bigint DEFAULT nextval('public.sallyport_revision'::regclass) NOT NULL
);


--
-- Name: audit_record; Type: TABLE; Schema: public; Owner: -
--

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


--
-- Name: audit_seal; Type: TABLE; Schema: public; Owner: -
--

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


--
-- Name: audit_unsealed; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.audit_unsealed (
    id text NOT NULL COLLATE pg_catalog."C",
    revision bigint DEFAULT nextval('public.sallyport_revision'::regclass) NOT NULL
);


--
-- Name: authorization_code; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.authorization_code (
    hash text NOT NULL COLLATE pg_catalog."C",
    session_id text NOT NULL COLLATE pg_catalog."C",
    client_id text NOT NULL COLLATE pg_catalog."C",
    redirect_uri text NOT NULL COLLATE pg_catalog."C",
    scope text NOT NULL COLLATE pg_catalog."C",
    resource text COLLATE pg_catalog."C",
    jkt text COLLATE pg_catalog."C",
    code_challenge text COLLATE pg_catalog."C",
    nonce text COLLATE pg_catalog."C",
    auth_time timestamp with time zone,
    amr text COLLATE pg_catalog."C",
    acr text COLLATE pg_catalog."C",
    requested jsonb,
    consent_id text COLLATE pg_catalog."C",
    member_id text COLLATE pg_catalog."C",
    expires_at timestamp with time zone NOT NULL,
    revision bigint DEFAULT nextval('public.sallyport_revision'::regclass) NOT NULL
);


--
-- Name: authorization_request; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.authorization_request (
    hash text NOT NULL COLLATE pg_catalog."C",
    client_id text NOT NULL COLLATE pg_catalog."C",
    parameters jsonb NOT NULL,
    requested_at timestamp with time zone NOT NULL,
    selected_in text COLLATE pg_catalog."C",
    member_id text COLLATE pg_catalog."C",
    denied_in text COLLATE pg_catalog."C",
    expires_at timestamp with time zone NOT NULL,
    revision bigint DEFAULT nextval('public.sallyport_revision'::regclass) NOT NULL
);


--
-- Name: client_session; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.client_session (
    sid text NOT NULL COLLATE pg_catalog."C",
    session_id text NOT NULL COLLATE pg_catalog."C",
    user_id text NOT NULL COLLATE pg_catalog."C",
    client_id text NOT NULL COLLATE pg_catalog."C",
    sub text NOT NULL COLLATE pg_catalog."C",
    expires_at timestamp with time zone NOT NULL,
    revision bigint DEFAULT nextval('public.sallyport_revision'::regclass) NOT NULL
);


--
-- Name: consent; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.consent (
    id text NOT NULL COLLATE pg_catalog."C",
    user_id text NOT NULL COLLATE pg_catalog."C",
    client_id text NOT NULL COLLATE pg_catalog."C",
    scope text NOT NULL COLLATE pg_catalog."C",
    granted_at timestamp with time zone NOT NULL,
    created_at timestamp with time zone NOT NULL,
    revision bigint DEFAULT nextval('public.sallyport_revision'::regclass) NOT NULL
);


--
-- Name: device_code; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.device_code (
    hash text NOT NULL COLLATE pg_catalog."C",
    user_code_hash text NOT NULL COLLATE pg_catalog."C",
    client_id text NOT NULL COLLATE pg_catalog."C",
    scope text NOT NULL COLLATE pg_catalog."C",
    resource text COLLATE pg_catalog."C",
    decision text NOT NULL COLLATE pg_catalog."C",
    session_id text COLLATE pg_catalog."C",
    consent_id text COLLATE pg_catalog."C",
    auth_time timestamp with time zone,
    amr text COLLATE pg_catalog."C",
    acr text COLLATE pg_catalog."C",
    "interval" bigint NOT NULL,
    polled_at timestamp with time zone,
    expires_at timestamp with time zone NOT NULL,
    revision bigint DEFAULT nextval('public.sallyport_revision'::regclass) NOT NULL
);


--
-- Name: email_code; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.email_code (
    recipient text NOT NULL COLLATE pg_catalog."C",
    hash text NOT NULL COLLATE pg_catalog."C",
    attempts bigint NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    revision bigint DEFAULT nextval('public.sallyport_revision'::regclass) NOT NULL
);


--
-- Name: email_step_up_code; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.email_step_up_code (
    recipient text NOT NULL COLLATE pg_catalog."C",
    hash text NOT NULL COLLATE pg_catalog."C",
    attempts bigint NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    revision bigint DEFAULT nextval('public.sallyport_revision'::regclass) NOT NULL
);


--
-- Name: event; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.event (
    id text NOT NULL COLLATE pg_catalog."C",
    type text NOT NULL COLLATE pg_catalog."C",
    subject text NOT NULL COLLATE pg_catalog."C",
    body text NOT NULL COLLATE pg_catalog."C",
    revision bigint DEFAULT nextval('public.sallyport_revision'::regclass) NOT NULL
);


--
-- Name: event_distribution; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.event_distribution (
    id text NOT NULL COLLATE pg_catalog."C",
    event_id text NOT NULL COLLATE pg_catalog."C",
    revision bigint DEFAULT nextval('public.sallyport_revision'::regclass) NOT NULL
);


--
-- Name: held_up_sign_in; Type: TABLE; Schema: public; Owner: -
--

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


--
-- Name: id_token_nonce; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.id_token_nonce (
    hash text NOT NULL COLLATE pg_catalog."C",
    expires_at timestamp with time zone NOT NULL,
    revision bigint DEFAULT nextval('public.sallyport_revision'::regclass) NOT NULL
);


--
-- Name: idp_key; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.idp_key (
    kid text NOT NULL COLLATE pg_catalog."C",
    alg text NOT NULL COLLATE pg_catalog."C",
    generation bigint NOT NULL,
    public_jwk text NOT NULL COLLATE pg_catalog."C",
    sealed_jwk text NOT NULL COLLATE pg_catalog."C",
    signs_from timestamp with time zone NOT NULL,
    revision bigint DEFAULT nextval('public.sallyport_revision'::regclass) NOT NULL
);


--
-- Name: import_record; Type: TABLE; Schema: public; Owner: -
--

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


--
-- Name: import_run; Type: TABLE; Schema: public; Owner: -
--

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


--
-- Name: invitation; Type: TABLE; Schema: public; Owner: -
--

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


--
-- Name: logout_request; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.logout_request (
    hash text NOT NULL COLLATE pg_catalog."C",
    client_id text COLLATE pg_catalog."C",
    sub text COLLATE pg_catalog."C",
    sid text COLLATE pg_catalog."C",
    redirect text COLLATE pg_catalog."C",
    ui_locales text COLLATE pg_catalog."C",
    expires_at timestamp with time zone NOT NULL,
    revision bigint DEFAULT nextval('public.sallyport_revision'::regclass) NOT NULL
);


--
-- Name: magic_link; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.magic_link (
    email text NOT NULL COLLATE pg_catalog."C",
    hash text NOT NULL COLLATE pg_catalog."C",
    expires_at timestamp with time zone NOT NULL,
    revision bigint DEFAULT nextval('public.sallyport_revision'::regclass) NOT NULL
);


--
-- Name: mailed_token; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.mailed_token (
    hash text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    user_id text COLLATE pg_catalog."C",
    email text NOT NULL COLLATE pg_catalog."C",
    expires_at timestamp with time zone NOT NULL,
    revision bigint DEFAULT nextval('public.sallyport_revision'::regclass) NOT NULL
);


--
-- Name: member; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.member (
    id text NOT NULL COLLATE pg_catalog."C",
    organization_id text NOT NULL COLLATE pg_catalog."C",
    user_id text NOT NULL COLLATE pg_catalog."C",
    role text NOT NULL COLLATE pg_catalog."C",
    created_at timestamp with time zone NOT NULL,
    revision bigint DEFAULT nextval('public.sallyport_revision'::regclass) NOT NULL
);


--
-- Name: oauth_client; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.oauth_client (
    client_id text NOT NULL COLLATE pg_catalog."C",
    metadata jsonb NOT NULL,
    secret_hashes jsonb NOT NULL,
    registration_hash text COLLATE pg_catalog."C",
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    revision bigint DEFAULT nextval('public.sallyport_revision'::regclass) NOT NULL
);


--
-- Name: oauth_state; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.oauth_state (
    hash text NOT NULL COLLATE pg_catalog."C",
    provider_id text NOT NULL COLLATE pg_catalog."C",
    verifier text NOT NULL COLLATE pg_catalog."C",
    session_id text COLLATE pg_catalog."C",
    session_token_hash text COLLATE pg_catalog."C",
    browser_hash text NOT NULL COLLATE pg_catalog."C",
    expires_at timestamp with time zone NOT NULL,
    revision bigint DEFAULT nextval('public.sallyport_revision'::regclass) NOT NULL
);


--
-- Name: one_time_token; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.one_time_token (
    hash text NOT NULL COLLATE pg_catalog."C",
    session_id text NOT NULL COLLATE pg_catalog."C",
    session_token_hash text COLLATE pg_catalog."C",
    expires_at timestamp with time zone NOT NULL,
    revision bigint DEFAULT nextval('public.sallyport_revision'::regclass) NOT NULL
);


--
-- Name: organization; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.organization (
    id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    slug text NOT NULL COLLATE pg_catalog."C",
    created_at timestamp with time zone NOT NULL,
    revision bigint DEFAULT nextval('public.sallyport_revision'::regclass) NOT NULL
);


--
-- Name: outbox; Type: TABLE; Schema: public; Owner: -
--

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


--
-- Name: outbox_dead; Type: TABLE; Schema: public; Owner: -
--

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


--
-- Name: pairwise_subject; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.pairwise_subject (
    sub text NOT NULL COLLATE pg_catalog."C",
    user_id text NOT NULL COLLATE pg_catalog."C",
    sector text NOT NULL COLLATE pg_catalog."C",
    revision bigint DEFAULT nextval('public.sallyport_revision'::regclass) NOT NULL
);


--
-- Name: passkey; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.passkey (
    id text NOT NULL COLLATE pg_catalog."C",
    name text COLLATE pg_catalog."C",
    created_at timestamp with time zone NOT NULL,
    last_used_at timestamp with time zone,
    backed_up boolean NOT NULL,
    transports jsonb NOT NULL,
    user_id text NOT NULL COLLATE pg_catalog."C",
    credential_id text NOT NULL COLLATE pg_catalog."C",
    public_key text NOT NULL COLLATE pg_catalog."C",
    counter bigint NOT NULL,
    backup_eligible boolean NOT NULL,
    revision bigint DEFAULT nextval('public.sallyport_revision'::regclass) NOT NULL
);


--
-- Name: passkey_challenge; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.passkey_challenge (
    hash text NOT NULL COLLATE pg_catalog."C",
    holder text NOT NULL COLLATE pg_catalog."C",
    email text COLLATE pg_catalog."C",
    expires_at timestamp with time zone NOT NULL,
    revision bigint DEFAULT nextval('public.sallyport_revision'::regclass) NOT NULL
);


--
-- Name: phone_code; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.phone_code (
    recipient text NOT NULL COLLATE pg_catalog."C",
    hash text NOT NULL COLLATE pg_catalog."C",
    attempts bigint NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    revision bigint DEFAULT nextval('public.sallyport_revision'::regclass) NOT NULL
);


--
-- Name: profile; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.profile (
    user_id text NOT NULL COLLATE pg_catalog."C",
    claims jsonb NOT NULL,
    revision bigint DEFAULT nextval('public.sallyport_revision'::regclass) NOT NULL
);


--
-- Name: provider_token; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.provider_token (
    account text NOT NULL COLLATE pg_catalog."C",
    tokens text NOT NULL COLLATE pg_catalog."C",
    scope text COLLATE pg_catalog."C",
    access_until timestamp with time zone,
    refreshing_until timestamp with time zone,
    revision bigint DEFAULT nextval('public.sallyport_revision'::regclass) NOT NULL
);


--
-- Name: rate_limit; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.rate_limit (
    key text NOT NULL COLLATE pg_catalog."C",
    count double precision NOT NULL,
    since timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    revision bigint DEFAULT nextval('public.sallyport_revision'::regclass) NOT NULL
);


--
-- Name: refresh_answer; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.refresh_answer (
    family_id text NOT NULL COLLATE pg_catalog."C",
    sealed text NOT NULL COLLATE pg_catalog."C",
    expires_at timestamp with time zone NOT NULL,
    revision bigint DEFAULT nextval('public.sallyport_revision'::regclass) NOT NULL
);


--
-- Name: refresh_family; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.refresh_family (
    id text NOT NULL COLLATE pg_catalog."C",
    user_id text NOT NULL COLLATE pg_catalog."C",
    session_id text COLLATE pg_catalog."C",
    client_id text NOT NULL COLLATE pg_catalog."C",
    code_hash text NOT NULL COLLATE pg_catalog."C",
    scope text NOT NULL COLLATE pg_catalog."C",
    resource text COLLATE pg_catalog."C",
    jkt text COLLATE pg_catalog."C",
    x5t text COLLATE pg_catalog."C",
    auth_time timestamp with time zone NOT NULL,
    amr text COLLATE pg_catalog."C",
    sid text COLLATE pg_catalog."C",
    acr text COLLATE pg_catalog."C",
    requested jsonb,
    consent_id text COLLATE pg_catalog."C",
    member_id text COLLATE pg_catalog."C",
    generation bigint NOT NULL,
    hash text NOT NULL COLLATE pg_catalog."C",
    previous_hash text COLLATE pg_catalog."C",
    expires_at timestamp with time zone NOT NULL,
    absolute_until timestamp with time zone NOT NULL,
    revision bigint DEFAULT nextval('public.sallyport_revision'::regclass) NOT NULL
);


--
-- Name: removal; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.removal (
    id text NOT NULL COLLATE pg_catalog."C",
    "table" text NOT NULL COLLATE pg_catalog."C",
    key text NOT NULL COLLATE pg_catalog."C",
    created_at timestamp with time zone NOT NULL,
    revision bigint DEFAULT nextval('public.sallyport_revision'::regclass) NOT NULL
);


--
-- Name: session; Type: TABLE; Schema: public; Owner: -
--

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


--
-- Name: siwe_nonce; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.siwe_nonce (
    hash text NOT NULL COLLATE pg_catalog."C",
    expires_at timestamp with time zone NOT NULL,
    revision bigint DEFAULT nextval('public.sallyport_revision'::regclass) NOT NULL
);


--
-- Name: team; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.team (
    id text NOT NULL COLLATE pg_catalog."C",
    organization_id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    created_at timestamp with time zone NOT NULL,
    revision bigint DEFAULT nextval('public.sallyport_revision'::regclass) NOT NULL
);


--
-- Name: team_member; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.team_member (
    id text NOT NULL COLLATE pg_catalog."C",
    team_id text NOT NULL COLLATE pg_catalog."C",
    member_id text NOT NULL COLLATE pg_catalog."C",
    user_id text NOT NULL COLLATE pg_catalog."C",
    revision bigint DEFAULT nextval('public.sallyport_revision'::regclass) NOT NULL
);


--
-- Name: two_factor; Type: TABLE; Schema: public; Owner: -
--

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


--
-- Name: used_assertion; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.used_assertion (
    hash text NOT NULL COLLATE pg_catalog."C",
    expires_at timestamp with time zone NOT NULL,
    revision bigint DEFAULT nextval('public.sallyport_revision'::regclass) NOT NULL
);


--
-- Name: user; Type: TABLE; Schema: public; Owner: -
--

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


--
-- Name: username; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.username (
    id text NOT NULL COLLATE pg_catalog."C",
    user_id text NOT NULL COLLATE pg_catalog."C",
    username text NOT NULL COLLATE pg_catalog."C",
    display_username text NOT NULL COLLATE pg_catalog."C",
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    revision bigint DEFAULT nextval('public.sallyport_revision'::regclass) NOT NULL
);


--
-- Name: webhook; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.webhook (
    id text NOT NULL COLLATE pg_catalog."C",
    url text NOT NULL COLLATE pg_catalog."C",
    types jsonb NOT NULL,
    sealed_secrets text NOT NULL COLLATE pg_catalog."C",
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    revision bigint DEFAULT nextval('public.sallyport_revision'::regclass) NOT NULL
);


--
-- Name: webhook_dead; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.webhook_dead (
    id text NOT NULL COLLATE pg_catalog."C",
    webhook_id text NOT NULL COLLATE pg_catalog."C",
    event_id text NOT NULL COLLATE pg_catalog."C",
    type text NOT NULL COLLATE pg_catalog."C",
    subject text NOT NULL COLLATE pg_catalog."C",
    body text NOT NULL COLLATE pg_catalog."C",
    attempts bigint NOT NULL,
    created_at timestamp with time zone NOT NULL,
    reason text NOT NULL COLLATE pg_catalog."C",
    died_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    revision bigint DEFAULT nextval('public.sallyport_revision'::regclass) NOT NULL
);


--
-- Name: webhook_delivery; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.webhook_delivery (
    id text NOT NULL COLLATE pg_catalog."C",
    webhook_id text NOT NULL COLLATE pg_catalog."C",
    event_id text NOT NULL COLLATE pg_catalog."C",
    type text NOT NULL COLLATE pg_catalog."C",
    subject text NOT NULL COLLATE pg_catalog."C",
    body text NOT NULL COLLATE pg_catalog."C",
    attempts bigint NOT NULL,
    created_at timestamp with time zone NOT NULL,
    due_at timestamp with time zone NOT NULL,
    reason text COLLATE pg_catalog."C",
    revision bigint DEFAULT nextval('public.sallyport_revision'::regclass) NOT NULL
);


--
-- Name: webhook_state; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.webhook_state (
    id text NOT NULL COLLATE pg_catalog."C",
    failing_since timestamp with time zone,
    disabled_at timestamp with time zone,
    reason text NOT NULL COLLATE pg_catalog."C",
    revision bigint DEFAULT nextval('public.sallyport_revision'::regclass) NOT NULL
);


--
-- Data for Name: access_token; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.access_token VALUES ('fSLITME_0pWXgU85IwjpRPbMItrA56y0AlEccADJHr4', 'Hb1yRd_pCudkBJpoDcZRF5Tpw-sfzLspuVbGUhmucIU', '01a20ee5-8e3e-709b-9b9b-cee401b3b4c5', '01a20ee5-8f52-77ad-a92e-4bb92a6e4b49', '01a20ee5-8e34-77a6-8850-415598f280cb', 'app', 'openid email', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '2026-11-24 18:50:55.19+00', '2026-11-24 19:00:55.19+00', 720);
INSERT INTO public.access_token VALUES ('ZrTnLMBO0WRWhpcq8sds4xHMSUBblqv_L34KC_ge7yM', 'sPFPddiXeM3fRy_ZcVpIs3be_EFLhea4ZEWjBMsRm5I', '01a20ee5-8e3e-709b-9b9b-cee401b3b4c5', '01a20ee5-91cc-7329-ba09-349f60632cda', '01a20ee5-8e34-77a6-8850-415598f280cb', 'app', 'openid email', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '2026-11-24 18:50:55.821+00', '2026-11-24 19:00:55.821+00', 729);
INSERT INTO public.access_token VALUES ('icBOvD5E0O3UIVo4d63_fc0lCkt98Tb-PdtCRIrfLg8', 'gZ3NK3q46VJMwK63AUFX6AOJ-4f6GHcEPDzb0_qqQ58', NULL, '01a20ee5-92e7-75bd-a427-bc80d5bb5dde', '01a20ee5-8e34-77a6-8850-415598f280cb', 'app', 'openid offline_access', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '2026-11-24 18:50:56.106+00', '2026-11-24 19:00:56.106+00', 747);
INSERT INTO public.access_token VALUES ('LiYCf79SsdQjnP2IbGRMy5pFxkV82cgUAiUZVSoDCEc', NULL, '01a20ee5-8e3e-709b-9b9b-cee401b3b4c5', '01a20ee5-91cc-7329-ba09-349f60632cda', '01a20ee5-8e34-77a6-8850-415598f280cb', 'app', 'openid email', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '2026-11-24 18:50:56.599+00', '2026-11-24 19:00:56.599+00', 800);
INSERT INTO public.access_token VALUES ('sqqty-eyg7xujfCQaA4QEd6bCcrVT6lCo1S5dtIjV7c', 'IRGNpF8WBMuugbgbZiYEVEVP6gtu5ImZZhPwV55G0wc', '01a20ee5-8e3e-709b-9b9b-cee401b3b4c5', NULL, '01a20ee5-8e34-77a6-8850-415598f280cb', 'api', 'openid email', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '2026-11-24 18:50:56.642+00', '2026-11-24 19:00:56.642+00', 802);
INSERT INTO public.access_token VALUES ('aPwDf4bzAVMuoapHtre1nNUhNnn8rUjAwXV1uSndAXU', '2RaA6X7Sqe-G37DiQy_OexHX4zWWzwgxet3e87Jr5mI', '01a20ee5-8e3e-709b-9b9b-cee401b3b4c5', NULL, '01a20ee5-8e34-77a6-8850-415598f280cb', 'pair', 'openid email', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '2026-11-24 18:50:56.666+00', '2026-12-01 18:50:54.91+00', 805);


--
-- Data for Name: account; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.account VALUES ('01a20ee5-78c7-73f5-80a3-86bbca9888e0', 'credential', '01a20ee5-78c7-73f5-80a3-86ba1932e13e', '2026-11-24 18:50:49.415+00', '01a20ee5-78c7-73f5-80a3-86ba1932e13e', '$argon2id$v=19$m=1024,t=1,p=1$J+47pO0ASQACtiN1ibx2dA$2x5R3Y279mW8EMaUFqeFIluDix//kVEWKPzpNw2MyRY', '2026-11-24 18:50:49.415+00', 20);
INSERT INTO public.account VALUES ('01a20ee5-7a25-74a5-8140-3c58a07c0d96', 'credential', '01a20ee5-7a25-74a5-8140-3c570f7382f3', '2026-11-24 18:50:49.765+00', '01a20ee5-7a25-74a5-8140-3c570f7382f3', '$argon2id$v=19$m=1024,t=1,p=1$7khiuaDIikMON/1bZS7QkQ$8Vle/EkztIlVV0VVb3ymK4TshPCSkQguBLnz4nWj+S4', '2026-11-24 18:50:49.765+00', 28);
INSERT INTO public.account VALUES ('01a20ee5-7a3f-7162-9bbf-869284b9095f', 'credential', '01a20ee5-7a3f-7162-9bbf-8691f8441e1d', '2026-11-24 18:50:49.791+00', '01a20ee5-7a3f-7162-9bbf-8691f8441e1d', '$argon2id$v=19$m=1024,t=1,p=1$D4n3laXRb2DPwRERnT8M4w$WvLkZvCKZHSRSsGCXDq3UcgKR1/B9C8oHrOn/bI+Has', '2026-11-24 18:50:49.791+00', 44);
INSERT INTO public.account VALUES ('01a20ee5-7b8d-7734-ae36-00b0c748ef00', 'credential', '01a20ee5-7b8d-7734-ae36-00af1f0b2957', '2026-11-24 18:50:50.125+00', '01a20ee5-7b8d-7734-ae36-00af1f0b2957', '$argon2id$v=19$m=1024,t=1,p=1$SUXLbSP765tSpX0JNtr0Aw$LORZC+Zqc9JRpy2o+U4ejevfeDRnXiT6w/1mBaaYdOw', '2026-11-24 18:50:50.145+00', 106);
INSERT INTO public.account VALUES ('01a20ee5-7bb9-7526-8e0c-f5a638b895c2', 'credential', '01a20ee5-7bb9-7526-8e0c-f5a50574890f', '2026-11-24 18:50:50.169+00', '01a20ee5-7bb9-7526-8e0c-f5a50574890f', '$argon2id$v=19$m=1024,t=1,p=1$JWvJ6TeSbZTd/AmxW6xkWg$N9ZQPFQ9BSvt6kNmq8PfQAsbEyyTRRG814q4gXXogRE', '2026-11-24 18:50:50.169+00', 115);
INSERT INTO public.account VALUES ('01a20ee5-7bcc-774f-bcb9-34327aba8470', 'credential', '01a20ee5-7bcc-774f-bcb9-34312ebe1611', '2026-11-24 18:50:50.188+00', '01a20ee5-7bcc-774f-bcb9-34312ebe1611', '$argon2id$v=19$m=1024,t=1,p=1$1LGVbbHzxCKYENc+nPhaRw$dqCkz/D7WBJd2U0fENXhNjJQKGwVcTry1mV2aI78bh8', '2026-11-24 18:50:50.188+00', 132);
INSERT INTO public.account VALUES ('01a20ee5-7bee-7340-b6d1-ef60a429b7fe', 'credential', '01a20ee5-7bee-7340-b6d1-ef5f368de2ea', '2026-11-24 18:50:50.222+00', '01a20ee5-7bee-7340-b6d1-ef5f368de2ea', '$argon2id$v=19$m=1024,t=1,p=1$5ZOwrDHzYOE2H5vv5G/ODw$uZAjs1ZKil41z5OFUk3HAgMLw+guMPd6jONv2bTpwsI', '2026-11-24 18:50:50.222+00', 172);
INSERT INTO public.account VALUES ('01a20ee5-7cac-71b3-a7fc-3fd264695a0a', 'credential', '01a20ee5-7cac-71b3-a7fc-3fd1a95eef5b', '2026-11-24 18:50:50.412+00', '01a20ee5-7cac-71b3-a7fc-3fd1a95eef5b', '$argon2id$v=19$m=1024,t=1,p=1$6yCQE+FRo4RZbp+TzjWa1g$UiEszdfxJ69GOU2jqDwceOhazoOdYCnUUHGMtuQHdqs', '2026-11-24 18:50:50.412+00', 198);
INSERT INTO public.account VALUES ('01a20ee5-7d30-7267-92d5-60c7458e5b43', 'phone', '+14155552672', '2026-11-24 18:50:50.544+00', '01a20ee5-7cac-71b3-a7fc-3fd1a95eef5b', NULL, '2026-11-24 18:50:50.544+00', 217);
INSERT INTO public.account VALUES ('01a20ee5-7d42-7468-b423-f019a68c351d', 'credential', '01a20ee5-7d42-7468-b423-f01883088662', '2026-11-24 18:50:50.562+00', '01a20ee5-7d42-7468-b423-f01883088662', '$argon2id$v=19$m=1024,t=1,p=1$i1pe3pN67y3Q9REZzhznlQ$VBH0NGzrLUCA4Z/1iM9jLqSuNaP7rYyZIP91kGhRkgk', '2026-11-24 18:50:50.562+00', 242);
INSERT INTO public.account VALUES ('01a20ee5-7e23-7240-a5ad-2122d0e87b6e', 'credential', '01a20ee5-7e23-7240-a5ad-212113998e27', '2026-11-24 18:50:50.787+00', '01a20ee5-7e23-7240-a5ad-212113998e27', '$argon2id$v=19$m=1024,t=1,p=1$b3T3LFOxMYMRpEKCieMFzA$/sWzTfKBG8wgQxkEVntg1cHrjv74+5XIPXb6hwpJZC4', '2026-11-24 18:50:50.787+00', 292);
INSERT INTO public.account VALUES ('01a20ee5-7ea5-7406-8535-b68feba20580', 'credential', '01a20ee5-7ea5-7406-8535-b68ec23805c4', '2026-11-24 18:50:50.917+00', '01a20ee5-7ea5-7406-8535-b68ec23805c4', '$argon2id$v=19$m=1024,t=1,p=1$9FH4V3NCsE3ITfFNy94qoQ$qxLbX7d8XN6W8O4SHHoDKxZtwR6plOjrHgTNp2gQvOQ', '2026-11-24 18:50:50.917+00', 319);
INSERT INTO public.account VALUES ('01a20ee5-83a8-765d-b618-ca9f6787599c', 'passkey', 'gjzq5HwHZqx9l_l9WDwvPCxkfVIKyDkiXh66Igds9B0', '2026-11-24 18:50:52.2+00', '01a20ee5-7ea5-7406-8535-b68ec23805c4', NULL, '2026-11-24 18:50:52.2+00', 329);
INSERT INTO public.account VALUES ('01a20ee5-8427-768f-8634-f48d9459a558', 'credential', '01a20ee5-8427-768f-8634-f48c038fe4e5', '2026-11-24 18:50:52.327+00', '01a20ee5-8427-768f-8634-f48c038fe4e5', '$argon2id$v=19$m=1024,t=1,p=1$ScDZExHxCNT50Y5APkExuA$7c188cgsh5a1/ASadYbAKoKiVcArU8vgfoywytG0gK8', '2026-11-24 18:50:52.327+00', 343);
INSERT INTO public.account VALUES ('01a20ee5-8447-706e-a46c-1028e8ea6fb7', 'credential', '01a20ee5-8447-706e-a46c-1027fec44718', '2026-11-24 18:50:52.359+00', '01a20ee5-8447-706e-a46c-1027fec44718', '$argon2id$v=19$m=1024,t=1,p=1$jHP9exTmbRxJqjHTYYS1dA$2r0N4wtR1+2hhsYtZ9mLDOv7UzVmzGz13TkSrQ/nQGI', '2026-11-24 18:50:52.359+00', 358);
INSERT INTO public.account VALUES ('01a20ee5-8528-7091-b7fe-4d56c3fc85bb', 'elsewhere', 'olivia', '2026-11-24 18:50:52.584+00', '01a20ee5-8528-7091-b7fe-4d55775a6d90', NULL, '2026-11-24 18:50:52.584+00', 374);
INSERT INTO public.account VALUES ('01a20ee5-86c4-74bb-99f2-f20c82aabf6b', 'siwe', '0x5d5c99EdF529335160FF180fA141Dd4967fc00D2', '2026-11-24 18:50:52.996+00', '01a20ee5-86b4-718b-94d1-83dfd0760577', NULL, '2026-11-24 18:50:52.996+00', 391);
INSERT INTO public.account VALUES ('01a20ee5-86f3-7092-b64b-9c0476a1479b', 'credential', '01a20ee5-86f3-7092-b64b-9c035bf9f8e2', '2026-11-24 18:50:53.043+00', '01a20ee5-86f3-7092-b64b-9c035bf9f8e2', '$argon2id$v=19$m=1024,t=1,p=1$5+p5l0WRXCom1nEtFR6G9Q$vkQt7t3CVd3j3xeDGh0vsG9hEg7dSBQOyicK1FPvOsc', '2026-11-24 18:50:53.043+00', 406);
INSERT INTO public.account VALUES ('01a20ee5-8767-764c-8900-6a2a9304adfa', 'credential', '01a20ee5-8767-764c-8900-6a29f8010c6a', '2026-11-24 18:50:53.159+00', '01a20ee5-8767-764c-8900-6a29f8010c6a', '$argon2id$v=19$m=1024,t=1,p=1$tD+CFeta3p0n79AniVRjOg$xQydqlfrNdaBICqyPs8IICWRoN9XmmHjqbAJNGopkKs', '2026-11-24 18:50:53.159+00', 443);
INSERT INTO public.account VALUES ('01a20ee5-8857-756b-b3ae-493ae9c58aed', 'credential', '01a20ee5-8857-756b-b3ae-49396ab054e2', '2026-11-24 18:50:53.399+00', '01a20ee5-8857-756b-b3ae-49396ab054e2', '$argon2id$v=19$m=1024,t=1,p=1$L5A+lLIdAeYpRSEcTViwXQ$tXeRycATxn86vNTe6fTL7pcE9Id8XCFJZ1dInD8n/Eo', '2026-11-24 18:50:53.399+00', 478);
INSERT INTO public.account VALUES ('01a20ee5-89a7-7199-a2d2-133a468103e1', 'credential', '01a20ee5-89a7-7199-a2d2-13396994b93b', '2026-11-24 18:50:53.735+00', '01a20ee5-89a7-7199-a2d2-13396994b93b', '$argon2id$v=19$m=1024,t=1,p=1$diZ+eeI8NRvpccSvas7vQw$H4vaUdRN9uuxuKsXSkewkcoh42IdnDPPJzzGPx4xtSw', '2026-11-24 18:50:53.735+00', 519);
INSERT INTO public.account VALUES ('01a20ee5-8c99-7275-ab97-4b49a9717582', 'credential', '01a20ee5-8b1f-755e-8ca2-e096289cbc6e', '2026-11-24 18:50:54.489+00', '01a20ee5-8b1f-755e-8ca2-e096289cbc6e', '$argon2id$v=19$m=1024,t=1,p=1$gbAdz+zImZe3B8VVZa2R5g$f1/TJisrB3Tf9+phWLZszz1QjiIrlhcCBxKi5cMHq1A', '2026-11-24 18:50:54.489+00', 591);
INSERT INTO public.account VALUES ('01a20ee5-8cf7-71e0-9a30-a08a1c50bd8d', 'credential', '01a20ee5-8cf7-71e0-9a30-a0894411fca2', '2026-11-24 18:50:54.583+00', '01a20ee5-8cf7-71e0-9a30-a0894411fca2', '$argon2id$v=19$m=1024,t=1,p=1$pOVzidhleQuOERHAeIQDXw$aeOLYQzMTYExp9lNl0ytRk/vMFGa1GrT3FKRVj/+ldg', '2026-11-24 18:50:54.583+00', 609);
INSERT INTO public.account VALUES ('01a20ee5-8d1b-7138-bc8b-42c9af5dc357', 'credential', '01a20ee5-8d1b-7138-bc8b-42c824f2d6c6', '2026-11-24 18:50:54.619+00', '01a20ee5-8d1b-7138-bc8b-42c824f2d6c6', '$argon2id$v=19$m=1024,t=1,p=1$C3caHLKg+DOoq6ZsbZfqiw$OqHAByKC9UfQpd73QZQpHNbYxaMiB9c4KIdWKSKnaYs', '2026-11-24 18:50:54.619+00', 624);
INSERT INTO public.account VALUES ('01a20ee5-8d7d-7111-ae1f-58ea1152a096', 'credential', '01a20ee5-8d7d-7111-ae1f-58e9a08b6a70', '2026-11-24 18:50:54.717+00', '01a20ee5-8d7d-7111-ae1f-58e9a08b6a70', '$argon2id$v=19$m=1024,t=1,p=1$gVPGHji8o/WlifVUuqaXbA$p2NDlwa7nuGTSui115ivHzUUCL4EwH4xiMQy/K5Im5k', '2026-11-24 18:50:54.717+00', 647);
INSERT INTO public.account VALUES ('01a20ee5-8de3-73ae-b328-9a60ce475976', 'credential', '01a20ee5-8de3-73ae-b328-9a5f730b5164', '2026-11-24 18:50:54.819+00', '01a20ee5-8de3-73ae-b328-9a5f730b5164', '$argon2id$v=19$m=1024,t=1,p=1$T/6iLmzb4olzbngg+4syfQ$nInjTPlLdhhW3LzNoSUeFExE4iwrEQje8HP3kZvYtQE', '2026-11-24 18:50:54.819+00', 674);
INSERT INTO public.account VALUES ('01a20ee5-8e34-77a6-8850-415664055f52', 'credential', '01a20ee5-8e34-77a6-8850-415598f280cb', '2026-11-24 18:50:54.9+00', '01a20ee5-8e34-77a6-8850-415598f280cb', '$argon2id$v=19$m=1024,t=1,p=1$nnERqBHX/LqD7DLafbmHOA$9Tw68XCKc3kGvNitrk+WpTX9s5Gq4P0736M70ZBrLmQ', '2026-11-24 18:50:54.9+00', 704);
INSERT INTO public.account VALUES ('01a20ee5-942d-772b-87cb-2f0cfe0fe90e', 'credential', '01a20ee5-942d-772b-87cb-2f0bd3e6486a', '2026-11-24 18:50:56.429+00', '01a20ee5-942d-772b-87cb-2f0bd3e6486a', '$argon2id$v=19$m=1024,t=1,p=1$uFwl2pAHM3ciM4PGlU+DTQ$4pV82MS7HbcMnYjpCy05qj4azBQ4roRNaLxRLe7b8SU', '2026-11-24 18:50:56.429+00', 791);
INSERT INTO public.account VALUES ('01a20ee5-954a-733f-b75f-18f019e4a372', 'credential', '01a20ee5-954a-733f-b75f-18ef0763dfd0', '2026-11-24 18:50:56.714+00', '01a20ee5-954a-733f-b75f-18ef0763dfd0', '$argon2id$v=19$m=1024,t=1,p=1$PNAio68XTULUsS0Ert5VFg$Hs2ASveSngha8Ybr2AhqgMDX7tV8wNLSJFtvqnFDJm8', '2026-11-24 18:50:56.714+00', 810);


--
-- Data for Name: active_organization; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.active_organization VALUES ('01a20ee5-89a7-7199-a2d2-13396994b93b', '01a20ee5-8aaa-75da-ae01-402271d60172', '01a20ee5-8840-77fb-ba4e-0468a99726d7', 544);


--
-- Data for Name: admin_metadata; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.admin_metadata VALUES ('01a20ee5-8cf7-71e0-9a30-a0894411fca2', 'user', true, 'spam', NULL, '2026-11-24 18:50:54.66+00', 639);
INSERT INTO public.admin_metadata VALUES ('01a20ee5-8d7d-7111-ae1f-58e9a08b6a70', 'user', true, 'a pause', '2026-11-24 18:51:04.751+00', '2026-11-24 18:50:54.755+00', 662);
INSERT INTO public.admin_metadata VALUES ('01a20ee5-8d1b-7138-bc8b-42c824f2d6c6', 'admin', false, NULL, NULL, '2026-11-24 18:50:54.789+00', 669);
INSERT INTO public.admin_metadata VALUES ('01a20ee5-954a-733f-b75f-18ef0763dfd0', 'user', true, 'spam', NULL, '2026-11-24 18:50:56.755+00', 833);


--
-- Data for Name: audit_chain; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.audit_chain VALUES ('head', 1, '2026-11-24', 'Cd4rrSUr2T5uThOzt9vnZFZpYQr7yq-AYR4o_shtfZ8', '-m3pTx1NpU37M0xCpsEzJ4h2J2GkRnkCgM78uzt2vrg', 'JwcLdiTO', 1827168656761, 847);


--
-- Data for Name: audit_day; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: audit_erasure; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.audit_erasure VALUES ('01a20ee5-7b04-76cf-8f2c-94f09ad7c3a8', '2026-11-24 18:50:50.038+00', 87);


--
-- Data for Name: audit_record; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.audit_record VALUES ('01a20ee5-78cf-747d-a13c-aa642b692afc', '2026-11-24 18:50:49.423+00', 'user.created', 'success', NULL, 'visitor', NULL, 'user', '01a20ee5-78c7-73f5-80a3-86ba1932e13e', NULL, NULL, NULL, '127.0.0.1', 'node', 'ddbf01f6-11cb-4001-be86-8da187ba28ad', NULL, 1, '{"method": "email_password", "operation": "signUpEmail"}', 's_5cOdE2W2m5VcsZzC4cOsc7qfslQBniT336rq8-ZN4', 'cZrXTzOOZCxAWjzL_hXjNeSAPvvSnD7itB5eMuRel78', '2027-11-24 18:50:49.423+00', 4);
INSERT INTO public.audit_record VALUES ('01a20ee5-78cf-747d-a13c-aa65e68ab843', '2026-11-24 18:50:49.423+00', 'credential.added', 'success', NULL, 'visitor', NULL, 'user', '01a20ee5-78c7-73f5-80a3-86ba1932e13e', NULL, NULL, NULL, '127.0.0.1', 'node', 'ddbf01f6-11cb-4001-be86-8da187ba28ad', NULL, 1, '{"id": "01a20ee5-78c7-73f5-80a3-86bbca9888e0", "kind": "credential", "method": "email_password", "operation": "signUpEmail"}', '2IvNg-XY4g5vCPzPt0xBsfiD8_xSaRHOV7JSVBep8QA', 'OPJjn8Hrb49ulz3qZrBvuW1zVjiTE92OeggXgyIxiO4', '2027-11-24 18:50:49.423+00', 6);
INSERT INTO public.audit_record VALUES ('01a20ee5-78cf-747d-a13c-aa6604c0b0b7', '2026-11-24 18:50:49.423+00', 'sign_in.succeeded', 'success', NULL, 'user', '01a20ee5-78c7-73f5-80a3-86ba1932e13e', 'user', '01a20ee5-78c7-73f5-80a3-86ba1932e13e', NULL, '01a20ee5-78cd-754f-bde0-ae23ecbf5344', NULL, '127.0.0.1', 'node', 'ddbf01f6-11cb-4001-be86-8da187ba28ad', NULL, 1, '{"method": "email_password", "operation": "signUpEmail"}', 'b7gcwkzNNq8x0PyZdUhJWwxRqaLXEZWObr9IzCgGHUA', '6vIDZ9-4Yh8GSBVRs6NL1fpDw5EDJtib4uuP2IxzUns', '2027-02-22 18:50:49.423+00', 8);
INSERT INTO public.audit_record VALUES ('01a20ee5-78cf-747d-a13c-aa67647d8e87', '2026-11-24 18:50:49.423+00', 'session.opened', 'success', NULL, 'user', '01a20ee5-78c7-73f5-80a3-86ba1932e13e', 'user', '01a20ee5-78c7-73f5-80a3-86ba1932e13e', NULL, '01a20ee5-78cd-754f-bde0-ae23ecbf5344', NULL, '127.0.0.1', 'node', 'ddbf01f6-11cb-4001-be86-8da187ba28ad', NULL, 1, '{"method": "email_password", "operation": "signUpEmail"}', 'iF8uxRzum_hwpEJdI6eI5aw_mzCB4mihMq6AXIzE-VI', 'vqSEa18Uj5bNLwTSCA6JOY8DCYREGKTfVBtgznLe5es', '2027-02-22 18:50:49.423+00', 10);
INSERT INTO public.audit_record VALUES ('01a20ee5-79f1-7660-9604-88938e32dc51', '2026-11-24 18:50:49.713+00', 'user.email_verified', 'success', NULL, 'visitor', NULL, 'user', '01a20ee5-78c7-73f5-80a3-86ba1932e13e', NULL, NULL, NULL, '127.0.0.1', 'node', '4f062a77-9768-4886-b636-bc1c357d7afb', NULL, 1, '{"method": "email_verification", "operation": "verifyEmail"}', 'XvD4V0A0cIXGBG0RJrttpx01MA83E9K-nmJTgERhXoA', 'fvxXBOOf8gwkDe69TC0W62YSG_-dKs3scgLs-LnqGyo', '2027-11-24 18:50:49.713+00', 21);
INSERT INTO public.audit_record VALUES ('01a20ee5-79f1-7660-9604-889447db7c94', '2026-11-24 18:50:49.713+00', 'credential.removed', 'success', NULL, 'visitor', NULL, 'user', '01a20ee5-78c7-73f5-80a3-86ba1932e13e', NULL, NULL, NULL, '127.0.0.1', 'node', '4f062a77-9768-4886-b636-bc1c357d7afb', NULL, 1, '{"id": "01a20ee5-78c7-73f5-80a3-86bbca9888e0", "kind": "credential", "method": "email_verification", "operation": "verifyEmail"}', 'nGAXt83s7T--y71r6bZydfT_QGx3f3Hv6QjH7WZnGG4', 'nzacG__9z_gCQ7qbyv5VmQIEKiStxmDmk0sBJIeQ-LQ', '2027-11-24 18:50:49.713+00', 23);
INSERT INTO public.audit_record VALUES ('01a20ee5-7a26-75f1-9b9b-10591c7f5f45', '2026-11-24 18:50:49.766+00', 'user.created', 'success', NULL, 'visitor', NULL, 'user', '01a20ee5-7a25-74a5-8140-3c570f7382f3', NULL, NULL, NULL, '127.0.0.1', 'node', '163175f4-dc86-464e-aa32-600028cf0a6f', NULL, 1, '{"method": "email_password", "operation": "signUpEmail"}', 'JN5DmuS3CJMfC04xFDvUBKwdRxo6VBaV8B6zGSAxG3k', 'lRF9dnQejovxkuYZAKpxXzvkFLkjjBsIQMxlMk4Z1xU', '2027-11-24 18:50:49.766+00', 30);
INSERT INTO public.audit_record VALUES ('01a20ee5-7a27-7661-adf1-8027bbfafefd', '2026-11-24 18:50:49.767+00', 'credential.added', 'success', NULL, 'visitor', NULL, 'user', '01a20ee5-7a25-74a5-8140-3c570f7382f3', NULL, NULL, NULL, '127.0.0.1', 'node', '163175f4-dc86-464e-aa32-600028cf0a6f', NULL, 1, '{"id": "01a20ee5-7a25-74a5-8140-3c58a07c0d96", "kind": "credential", "method": "email_password", "operation": "signUpEmail"}', 'cKpXPKQCTnZIQpPuY7sDwo4SSp5OjDRrM9OqbnlC2sE', 'jyhdpHt6k8F81qEW7hYnwozfqCn67Ybhbemj4alqHx0', '2027-11-24 18:50:49.767+00', 32);
INSERT INTO public.audit_record VALUES ('01a20ee5-7a27-7661-adf1-8028c1d9cb3f', '2026-11-24 18:50:49.767+00', 'sign_in.succeeded', 'success', NULL, 'user', '01a20ee5-7a25-74a5-8140-3c570f7382f3', 'user', '01a20ee5-7a25-74a5-8140-3c570f7382f3', NULL, '01a20ee5-7a26-75f1-9b9b-105810783892', NULL, '127.0.0.1', 'node', '163175f4-dc86-464e-aa32-600028cf0a6f', NULL, 1, '{"method": "email_password", "operation": "signUpEmail"}', 'hK5SfLtvCV1Wjw5gH5sxzXqrT2TmLpksB-E0mY8dU-4', 'IZJW9L4fEgOD9Urnk9xRYQLgTkViJTdoqwV2eNt1Ef8', '2027-02-22 18:50:49.767+00', 34);
INSERT INTO public.audit_record VALUES ('01a20ee5-7a27-7661-adf1-80298f8ee3c9', '2026-11-24 18:50:49.767+00', 'session.opened', 'success', NULL, 'user', '01a20ee5-7a25-74a5-8140-3c570f7382f3', 'user', '01a20ee5-7a25-74a5-8140-3c570f7382f3', NULL, '01a20ee5-7a26-75f1-9b9b-105810783892', NULL, '127.0.0.1', 'node', '163175f4-dc86-464e-aa32-600028cf0a6f', NULL, 1, '{"method": "email_password", "operation": "signUpEmail"}', 'YXl0DNemifdR23mFx3ujUQXP8UuElpjxh_0QSZSpfDQ', 'eZ1IKlIFHBYkZzdjVYhlRIpGPaAAdb4vQ50kayPFyCs', '2027-02-22 18:50:49.767+00', 36);
INSERT INTO public.audit_record VALUES ('01a20ee5-7a40-7418-bf7c-1e72aac5586b', '2026-11-24 18:50:49.792+00', 'user.created', 'success', NULL, 'visitor', NULL, 'user', '01a20ee5-7a3f-7162-9bbf-8691f8441e1d', NULL, NULL, NULL, '127.0.0.1', 'node', '0bb01ca2-06c3-4111-8eee-74caa2553e53', NULL, 1, '{"method": "email_password", "operation": "signUpEmail"}', 'u7n0nXKDXD1QJd08-8_JndcOAwDGf2FcGo9hkNIh9cE', 'P1d2YuNIjs6bkl2s0h3C4epnBXC3jymGyDMGmj3KtDY', '2027-11-24 18:50:49.792+00', 46);
INSERT INTO public.audit_record VALUES ('01a20ee5-7a40-7418-bf7c-1e73a961175d', '2026-11-24 18:50:49.792+00', 'credential.added', 'success', NULL, 'visitor', NULL, 'user', '01a20ee5-7a3f-7162-9bbf-8691f8441e1d', NULL, NULL, NULL, '127.0.0.1', 'node', '0bb01ca2-06c3-4111-8eee-74caa2553e53', NULL, 1, '{"id": "01a20ee5-7a3f-7162-9bbf-869284b9095f", "kind": "credential", "method": "email_password", "operation": "signUpEmail"}', '1eP6i934BWMmRqc9t5BkSZ-jDCQjAVKbcJvxAEhzGV8', 'asXmNmeyBF3SQSdQFiNsLu4RC_vP7thHEFjvwDpnbbM', '2027-11-24 18:50:49.792+00', 48);
INSERT INTO public.audit_record VALUES ('01a20ee5-7a40-7418-bf7c-1e7468c580ad', '2026-11-24 18:50:49.792+00', 'sign_in.succeeded', 'success', NULL, 'user', '01a20ee5-7a3f-7162-9bbf-8691f8441e1d', 'user', '01a20ee5-7a3f-7162-9bbf-8691f8441e1d', NULL, '01a20ee5-7a40-7418-bf7c-1e716d204ef3', NULL, '127.0.0.1', 'node', '0bb01ca2-06c3-4111-8eee-74caa2553e53', NULL, 1, '{"method": "email_password", "operation": "signUpEmail"}', 'e4hQe2glIvQ7pQRD9k9HCi5Z1lPeNd7KJaccD7n1YDs', 'toX8aG5CuuuEqAt0hwdnnRfDbQmXEZ3PCCW46oqZZq0', '2027-02-22 18:50:49.792+00', 50);
INSERT INTO public.audit_record VALUES ('01a20ee5-7a40-7418-bf7c-1e757f651936', '2026-11-24 18:50:49.792+00', 'session.opened', 'success', NULL, 'user', '01a20ee5-7a3f-7162-9bbf-8691f8441e1d', 'user', '01a20ee5-7a3f-7162-9bbf-8691f8441e1d', NULL, '01a20ee5-7a40-7418-bf7c-1e716d204ef3', NULL, '127.0.0.1', 'node', '0bb01ca2-06c3-4111-8eee-74caa2553e53', NULL, 1, '{"method": "email_password", "operation": "signUpEmail"}', 'GmKIWexq65f7R7hf49NRnwsE2HxWfXVvL99KX3oMXRs', '_qHCBcRK-9rcexBSee1ti99nesZDQPy0J0EhQVq_RSg', '2027-02-22 18:50:49.792+00', 52);
INSERT INTO public.audit_record VALUES ('01a20ee5-7a51-7677-b094-ed1f1d4e9d55', '2026-11-24 18:50:49.809+00', 'user.updated', 'success', NULL, 'user', '01a20ee5-7a3f-7162-9bbf-8691f8441e1d', 'user', '01a20ee5-7a3f-7162-9bbf-8691f8441e1d', NULL, '01a20ee5-7a40-7418-bf7c-1e716d204ef3', NULL, '127.0.0.1', 'node', '117aacb8-d87c-496d-a2ef-7c37a5107878', NULL, 1, '{"fields": ["name", "image", "locale"], "method": "account", "operation": "updateUser"}', 'DQJOZpvDi6mCigsHbEKz_0WiDHNlVl9rDbVB_6Q8-po', '-80N1UtxGCCFHE7TImrSs2iXSd9qdj4CeCGumSXU8aE', '2027-11-24 18:50:49.809+00', 59);
INSERT INTO public.audit_record VALUES ('01a20ee5-7a5e-7068-8c2b-d17d8a17817d', '2026-11-24 18:50:49.822+00', 'sign_in.succeeded', 'success', NULL, 'user', '01a20ee5-7a3f-7162-9bbf-8691f8441e1d', 'user', '01a20ee5-7a3f-7162-9bbf-8691f8441e1d', NULL, '01a20ee5-7a5e-7068-8c2b-d17cbfa5102e', NULL, '127.0.0.1', 'node', 'eae4ba68-2d58-47b2-bc16-a35aa34e2ee2', NULL, 1, '{"method": "email_password", "operation": "signInEmail"}', '9xU2UhP94xOmnvxU2Gw1xNZLrzRywLC-4y2PwtPJ9UE', '7h2ssS_A0_-hiqwNGFJO2GkgZ1YJtHbBvSkAYbpJq7A', '2027-02-22 18:50:49.822+00', 63);
INSERT INTO public.audit_record VALUES ('01a20ee5-7a5e-7068-8c2b-d17e1b48927e', '2026-11-24 18:50:49.822+00', 'session.opened', 'success', NULL, 'user', '01a20ee5-7a3f-7162-9bbf-8691f8441e1d', 'user', '01a20ee5-7a3f-7162-9bbf-8691f8441e1d', NULL, '01a20ee5-7a5e-7068-8c2b-d17cbfa5102e', NULL, '127.0.0.1', 'node', 'eae4ba68-2d58-47b2-bc16-a35aa34e2ee2', NULL, 1, '{"method": "email_password", "operation": "signInEmail"}', 'I-NUiq0yTeQln9zKjYV0X0jy4-lWVUOZANlWT9whFfQ', 'K1eFdA7MR7aavxt8RhA_BMmhsqaXRv9dTuD7q63D31w', '2027-02-22 18:50:49.822+00', 65);
INSERT INTO public.audit_record VALUES ('01a20ee5-7a6e-77ba-8bde-157ee8f1d11e', '2026-11-24 18:50:49.838+00', 'session.revoked', 'success', NULL, 'visitor', NULL, 'user', '01a20ee5-7a3f-7162-9bbf-8691f8441e1d', NULL, '01a20ee5-7a5e-7068-8c2b-d17cbfa5102e', NULL, '127.0.0.1', 'node', 'f6856b9f-e00c-45d0-9dbb-8d714df593b4', NULL, 1, '{"method": "sessions", "operation": "signOut"}', 'uGjYDi9GCCkl8XFC7BbUdtqkU_tRa9e06f6WUc1fBZs', 'gztLeCXrxp6i7bn6AxD_bUVzWEoiJ_IthASzNuybajY', '2027-02-22 18:50:49.838+00', 69);
INSERT INTO public.audit_record VALUES ('01a20ee5-7b09-7549-a39e-8f1ab8d7717b', '2026-11-24 18:50:49.993+00', 'user.created', 'success', NULL, 'visitor', NULL, 'user', '01a20ee5-7b04-76cf-8f2c-94f09ad7c3a8', NULL, NULL, NULL, '127.0.0.1', 'node', 'd2ba269e-226c-4a5e-89b6-b1e6e49935f2', NULL, 1, '{"method": "email_password", "operation": "signUpEmail"}', 'VkLRaoeMbqhXaWU_QVzkHaQmmBYetPYN6dCGsWvBmEI', 'KYjvpINGIPALwJck48wsCRfex24b72RZdh1KamhPTjc', '2027-11-24 18:50:49.993+00', 75);
INSERT INTO public.audit_record VALUES ('01a20ee5-7b09-7549-a39e-8f1bb1a0057c', '2026-11-24 18:50:49.993+00', 'credential.added', 'success', NULL, 'visitor', NULL, 'user', '01a20ee5-7b04-76cf-8f2c-94f09ad7c3a8', NULL, NULL, NULL, '127.0.0.1', 'node', 'd2ba269e-226c-4a5e-89b6-b1e6e49935f2', NULL, 1, '{"id": "01a20ee5-7b04-76cf-8f2c-94f15d09d844", "kind": "credential", "method": "email_password", "operation": "signUpEmail"}', 'C6tnCsaLRenSSOpF6dZhqjQwoCT3MTBG4lHi_SrRhfY', 'bcxIg8O4_NBW2GjewcJ3luuGxS_PB4tAWz7MAIOTDSM', '2027-11-24 18:50:49.993+00', 77);
INSERT INTO public.audit_record VALUES ('01a20ee5-7b09-7549-a39e-8f1c80e9ad9a', '2026-11-24 18:50:49.993+00', 'sign_in.succeeded', 'success', NULL, 'user', '01a20ee5-7b04-76cf-8f2c-94f09ad7c3a8', 'user', '01a20ee5-7b04-76cf-8f2c-94f09ad7c3a8', NULL, '01a20ee5-7b08-75b9-8092-d80ac99ca5f9', NULL, '127.0.0.1', 'node', 'd2ba269e-226c-4a5e-89b6-b1e6e49935f2', NULL, 1, '{"method": "email_password", "operation": "signUpEmail"}', 'Cxg3JlsdNZSDD2UkwZfvZWh4qEZTNIP226WJrwWM7PQ', 'c9MdZx5GjpoX6IrzWeJD3bdqtscF8EFu4n---Ms7MMo', '2027-02-22 18:50:49.993+00', 79);
INSERT INTO public.audit_record VALUES ('01a20ee5-7b09-7549-a39e-8f1d0ca92ea6', '2026-11-24 18:50:49.993+00', 'session.opened', 'success', NULL, 'user', '01a20ee5-7b04-76cf-8f2c-94f09ad7c3a8', 'user', '01a20ee5-7b04-76cf-8f2c-94f09ad7c3a8', NULL, '01a20ee5-7b08-75b9-8092-d80ac99ca5f9', NULL, '127.0.0.1', 'node', 'd2ba269e-226c-4a5e-89b6-b1e6e49935f2', NULL, 1, '{"method": "email_password", "operation": "signUpEmail"}', '2llumTAf3jvXJAKz8T1IJtE3LEu151RVjqwt2N1UpdA', 's2GcNkSk_deUP5VN2nu6nygoeG92wc9FslA0B7yHvcA', '2027-02-22 18:50:49.993+00', 81);
INSERT INTO public.audit_record VALUES ('01a20ee5-7b57-74e8-ae11-ddd170529e5b', '2026-11-24 18:50:50.071+00', 'user.deleted', 'success', NULL, 'user', '01a20ee5-7b04-76cf-8f2c-94f09ad7c3a8', 'user', '01a20ee5-7b04-76cf-8f2c-94f09ad7c3a8', NULL, '01a20ee5-7b08-75b9-8092-d80ac99ca5f9', NULL, '127.0.0.1', 'node', 'f82321ce-124d-4411-bac0-e49ec9039a09', NULL, 1, '{"method": "account", "operation": "deleteUser"}', '7VyvgqhZ647pxI7zOUW1kupa4ahmdqn2HbsBu60Amf4', 'CE6fvfG79oGgCu6aldzqsdVL40lJ2bMprt-hUXu-SZw', '2027-11-24 18:50:50.071+00', 88);
INSERT INTO public.audit_record VALUES ('01a20ee5-7b8f-7435-9ea8-9780ac918cf5', '2026-11-24 18:50:50.127+00', 'user.created', 'success', NULL, 'visitor', NULL, 'user', '01a20ee5-7b8d-7734-ae36-00af1f0b2957', NULL, NULL, NULL, '127.0.0.1', 'node', 'e7754cb2-f7d5-48aa-8c96-1163cfd5519b', NULL, 1, '{"method": "email_password", "operation": "signUpEmail"}', 'fQ-ya2D5wwHAZyhVy7hhjOaN7QrMlWe3TJhq7zXpLgw', 'VSQxHOzPgC4rWwNt3myYPrXxwdfknFmhf6Vki7nd5l0', '2027-11-24 18:50:50.127+00', 94);
INSERT INTO public.audit_record VALUES ('01a20ee5-7b8f-7435-9ea8-97811b0c1d77', '2026-11-24 18:50:50.127+00', 'credential.added', 'success', NULL, 'visitor', NULL, 'user', '01a20ee5-7b8d-7734-ae36-00af1f0b2957', NULL, NULL, NULL, '127.0.0.1', 'node', 'e7754cb2-f7d5-48aa-8c96-1163cfd5519b', NULL, 1, '{"id": "01a20ee5-7b8d-7734-ae36-00b0c748ef00", "kind": "credential", "method": "email_password", "operation": "signUpEmail"}', '1J3qzkKgqALRra_75wAIqTF6GXUICLdDYC5jL_Tbg6Y', 'uDyctlKYBAq9Od8-5Ga_5Y3NMdD5sv0MfypmDdMGo4c', '2027-11-24 18:50:50.127+00', 96);
INSERT INTO public.audit_record VALUES ('01a20ee5-7b8f-7435-9ea8-97822a3331aa', '2026-11-24 18:50:50.127+00', 'sign_in.succeeded', 'success', NULL, 'user', '01a20ee5-7b8d-7734-ae36-00af1f0b2957', 'user', '01a20ee5-7b8d-7734-ae36-00af1f0b2957', NULL, '01a20ee5-7b8f-7435-9ea8-977f294ec677', NULL, '127.0.0.1', 'node', 'e7754cb2-f7d5-48aa-8c96-1163cfd5519b', NULL, 1, '{"method": "email_password", "operation": "signUpEmail"}', 'wRIM7HB3ZIo0XT6lG3cMh7tK4RGQeNHalxdDLkRtQDQ', 'wafPwP9cjbSLdA3DElSs96emCPL2UEQ5G8leRdtrego', '2027-02-22 18:50:50.127+00', 98);
INSERT INTO public.audit_record VALUES ('01a20ee5-7b8f-7435-9ea8-97836df4bdf7', '2026-11-24 18:50:50.127+00', 'session.opened', 'success', NULL, 'user', '01a20ee5-7b8d-7734-ae36-00af1f0b2957', 'user', '01a20ee5-7b8d-7734-ae36-00af1f0b2957', NULL, '01a20ee5-7b8f-7435-9ea8-977f294ec677', NULL, '127.0.0.1', 'node', 'e7754cb2-f7d5-48aa-8c96-1163cfd5519b', NULL, 1, '{"method": "email_password", "operation": "signUpEmail"}', 'cpEc-FOOYT6d6zVsWWq4KPKCjcX5zNp9aJwA6PTDBao', 'Hkfa9WvWG6xyEM7M8VVWJlbIuyahPEN-ckwod9LpXmg', '2027-02-22 18:50:50.127+00', 100);
INSERT INTO public.audit_record VALUES ('01a20ee5-7ba4-7108-882a-49be30d3b04f', '2026-11-24 18:50:50.148+00', 'credential.changed', 'success', NULL, 'user', '01a20ee5-7b8d-7734-ae36-00af1f0b2957', 'user', '01a20ee5-7b8d-7734-ae36-00af1f0b2957', NULL, '01a20ee5-7b8f-7435-9ea8-977f294ec677', NULL, '127.0.0.1', 'node', '9e4d9708-8786-4b05-8c3a-1a470454863e', NULL, 1, '{"id": "01a20ee5-7b8d-7734-ae36-00b0c748ef00", "kind": "credential", "method": "email_password", "operation": "changePassword"}', 'PxbqjxH5xIDdFlWuqbzJ8U7Q0frvLefpwBhX2Xq_fW4', 'VJC6BWeLevWyCl5ugdezLW8OUSdRxH_mDjhMr8VyMSA', '2027-11-24 18:50:50.148+00', 109);
INSERT INTO public.audit_record VALUES ('01a20ee5-7bba-7287-bdb0-59423c610f77', '2026-11-24 18:50:50.17+00', 'user.created', 'success', NULL, 'visitor', NULL, 'user', '01a20ee5-7bb9-7526-8e0c-f5a50574890f', NULL, NULL, NULL, '127.0.0.1', 'node', 'a0f20e6d-5cd7-4b24-81cc-f63367f96cd0', NULL, 1, '{"method": "email_password", "operation": "signUpEmail"}', 'kdMsa_7GX2U0T007q3FTmr_WBvNBZ4eWvj4PLR-OtiM', 'Q4ShPkuDWSl9h-nofi90AWIoIZTgCFs7WTGOprkVHBw', '2027-11-24 18:50:50.17+00', 117);
INSERT INTO public.audit_record VALUES ('01a20ee5-7bba-7287-bdb0-594364596068', '2026-11-24 18:50:50.17+00', 'credential.added', 'success', NULL, 'visitor', NULL, 'user', '01a20ee5-7bb9-7526-8e0c-f5a50574890f', NULL, NULL, NULL, '127.0.0.1', 'node', 'a0f20e6d-5cd7-4b24-81cc-f63367f96cd0', NULL, 1, '{"id": "01a20ee5-7bb9-7526-8e0c-f5a638b895c2", "kind": "credential", "method": "email_password", "operation": "signUpEmail"}', 'X9Lo2yFW-dLu7rRGYxeuQDpaHc9oOoI3S952W6bO8z0', 'rppXlaIG8nLiZvtQDJnby8k5XgGrlFGkdpNfcuJTb8g', '2027-11-24 18:50:50.17+00', 119);
INSERT INTO public.audit_record VALUES ('01a20ee5-7bba-7287-bdb0-5944e6e3075c', '2026-11-24 18:50:50.17+00', 'sign_in.succeeded', 'success', NULL, 'user', '01a20ee5-7bb9-7526-8e0c-f5a50574890f', 'user', '01a20ee5-7bb9-7526-8e0c-f5a50574890f', NULL, '01a20ee5-7bb9-7526-8e0c-f5a724aad8d4', NULL, '127.0.0.1', 'node', 'a0f20e6d-5cd7-4b24-81cc-f63367f96cd0', NULL, 1, '{"method": "email_password", "operation": "signUpEmail"}', 'RfvhZEAbFcEnz3xsKXo_eTmXqsqLfAxJHTbiy1knSZw', 'G0Gn5nYKl7AhLnGlWqdYAbGX-dhdwpjsyJqhwrnPzhc', '2027-02-22 18:50:50.17+00', 121);
INSERT INTO public.audit_record VALUES ('01a20ee5-7bba-7287-bdb0-5945ba781963', '2026-11-24 18:50:50.17+00', 'session.opened', 'success', NULL, 'user', '01a20ee5-7bb9-7526-8e0c-f5a50574890f', 'user', '01a20ee5-7bb9-7526-8e0c-f5a50574890f', NULL, '01a20ee5-7bb9-7526-8e0c-f5a724aad8d4', NULL, '127.0.0.1', 'node', 'a0f20e6d-5cd7-4b24-81cc-f63367f96cd0', NULL, 1, '{"method": "email_password", "operation": "signUpEmail"}', 'Fs2KmytrYK73ujfTGfuY0_1PJnDRtBUimb1HntkiQxI', '088jGAxWOSDxofBMf4JXJEHUXK9A9GA9oQqsHHQ87G8', '2027-02-22 18:50:50.17+00', 123);
INSERT INTO public.audit_record VALUES ('01a20ee5-7bce-7055-b915-53a573bee54e', '2026-11-24 18:50:50.19+00', 'user.created', 'success', NULL, 'visitor', NULL, 'user', '01a20ee5-7bcc-774f-bcb9-34312ebe1611', NULL, NULL, NULL, '127.0.0.1', 'node', '598bda6b-d0e4-4a7c-8df4-71fe9725789e', NULL, 1, '{"method": "email_password", "operation": "signUpEmail"}', '_O0AGCTBI2NL6jlXrc4U_1pOkqknMEmafcHsQC3_bss', 'wnnWmTCr-UY851Ya7wndHjrWgaZ0NnD1z05VZkb-Y4M', '2027-11-24 18:50:50.19+00', 134);
INSERT INTO public.audit_record VALUES ('01a20ee5-7bce-7055-b915-53a69917fc53', '2026-11-24 18:50:50.19+00', 'credential.added', 'success', NULL, 'visitor', NULL, 'user', '01a20ee5-7bcc-774f-bcb9-34312ebe1611', NULL, NULL, NULL, '127.0.0.1', 'node', '598bda6b-d0e4-4a7c-8df4-71fe9725789e', NULL, 1, '{"id": "01a20ee5-7bcc-774f-bcb9-34327aba8470", "kind": "credential", "method": "email_password", "operation": "signUpEmail"}', 'lkgahpFdoDK3Ij13eC7585MqULuUgSfmiz9tlMcojEM', 'iHm2NyxBlpo-s9jjijc8lA8uoRXXT2bNeHzWnDlMTHM', '2027-11-24 18:50:50.19+00', 136);
INSERT INTO public.audit_record VALUES ('01a20ee5-7bce-7055-b915-53a7505430c6', '2026-11-24 18:50:50.19+00', 'sign_in.succeeded', 'success', NULL, 'user', '01a20ee5-7bcc-774f-bcb9-34312ebe1611', 'user', '01a20ee5-7bcc-774f-bcb9-34312ebe1611', NULL, '01a20ee5-7bcd-76de-8aff-f66419866c11', NULL, '127.0.0.1', 'node', '598bda6b-d0e4-4a7c-8df4-71fe9725789e', NULL, 1, '{"method": "email_password", "operation": "signUpEmail"}', 'sh6xaC4cQ3LI3zxAJFJkuQA-a_hqSP7Ua98uO4ytjsQ', 'chKGXEEWF6Lxs0aUQ4RX3LyT3EupzEFy23lE4qj_rF8', '2027-02-22 18:50:50.19+00', 138);
INSERT INTO public.audit_record VALUES ('01a20ee5-7bce-7055-b915-53a81252636e', '2026-11-24 18:50:50.19+00', 'session.opened', 'success', NULL, 'user', '01a20ee5-7bcc-774f-bcb9-34312ebe1611', 'user', '01a20ee5-7bcc-774f-bcb9-34312ebe1611', NULL, '01a20ee5-7bcd-76de-8aff-f66419866c11', NULL, '127.0.0.1', 'node', '598bda6b-d0e4-4a7c-8df4-71fe9725789e', NULL, 1, '{"method": "email_password", "operation": "signUpEmail"}', 'wmG8QtPARLfeMdnmEN0rlFLyLytTL4iYt0GjshkiKuM', 'ikH7S03Z2mwspbm21jdDqtk1G2A9-VUM-EIiwLNbCLo', '2027-02-22 18:50:50.19+00', 140);
INSERT INTO public.audit_record VALUES ('01a20ee5-7be2-7155-9089-2353cc15ff71', '2026-11-24 18:50:50.21+00', 'recovery.requested', 'success', NULL, 'visitor', NULL, 'user', '01a20ee5-7bcc-774f-bcb9-34312ebe1611', NULL, NULL, NULL, '127.0.0.1', 'node', '02559131-5e15-4fbf-8758-b112ea61ee35', NULL, 1, '{"method": "email_password", "channel": "email", "operation": "requestPasswordReset"}', 'n670F44x7M4etN-Y4naPP8H_xszSz3R4BN9iCZ5Ike8', 'xJOQ5lvNvpNEDHreqSJtE5q8q8DV7jAMC_OQ-YrFuTE', '2027-02-22 18:50:50.21+00', 149);
INSERT INTO public.audit_record VALUES ('01a20ee5-7bef-750b-bfa4-cb3bf9e84a5a', '2026-11-24 18:50:50.223+00', 'user.created', 'success', NULL, 'visitor', NULL, 'user', '01a20ee5-7bee-7340-b6d1-ef5f368de2ea', NULL, NULL, NULL, '127.0.0.1', 'node', 'bd7c5bad-b935-4184-8641-5a5ee0e257a6', NULL, 1, '{"method": "email_password", "operation": "signUpEmail"}', 'KyGEut2yI_zO86nGE1k3SjXgC6nwhKgUeCOOA302YRo', 'pVg-DPty2FIlSbxNKZTuEN6OI7dJ8QxIwVpIwT7KNes', '2027-11-24 18:50:50.223+00', 155);
INSERT INTO public.audit_record VALUES ('01a20ee5-7bef-750b-bfa4-cb3c9bafb34b', '2026-11-24 18:50:50.223+00', 'credential.added', 'success', NULL, 'visitor', NULL, 'user', '01a20ee5-7bee-7340-b6d1-ef5f368de2ea', NULL, NULL, NULL, '127.0.0.1', 'node', 'bd7c5bad-b935-4184-8641-5a5ee0e257a6', NULL, 1, '{"id": "01a20ee5-7bee-7340-b6d1-ef60a429b7fe", "kind": "credential", "method": "email_password", "operation": "signUpEmail"}', '7ru8az5LEK0V7v2Orge4YrEpoMneRKsDCA3NgnAOwBY', 'AWkfSjVKWgtyPQWi6VMoPFuvWVqQNcG9Hhg63lXJ99s', '2027-11-24 18:50:50.223+00', 157);
INSERT INTO public.audit_record VALUES ('01a20ee5-7bef-750b-bfa4-cb3dadfe8ac0', '2026-11-24 18:50:50.223+00', 'sign_in.succeeded', 'success', NULL, 'user', '01a20ee5-7bee-7340-b6d1-ef5f368de2ea', 'user', '01a20ee5-7bee-7340-b6d1-ef5f368de2ea', NULL, '01a20ee5-7bef-750b-bfa4-cb3a6956ad41', NULL, '127.0.0.1', 'node', 'bd7c5bad-b935-4184-8641-5a5ee0e257a6', NULL, 1, '{"method": "email_password", "operation": "signUpEmail"}', 'pxONvqylQXjkFzK1aponEZ84y5xNWNSwgR45LSKd0Ec', 'y-ZWxw9txGt6S4YCDdUfaGAsunQWxysfHiFKEdTbTOQ', '2027-02-22 18:50:50.223+00', 159);
INSERT INTO public.audit_record VALUES ('01a20ee5-7bef-750b-bfa4-cb3eef10ea5b', '2026-11-24 18:50:50.223+00', 'session.opened', 'success', NULL, 'user', '01a20ee5-7bee-7340-b6d1-ef5f368de2ea', 'user', '01a20ee5-7bee-7340-b6d1-ef5f368de2ea', NULL, '01a20ee5-7bef-750b-bfa4-cb3a6956ad41', NULL, '127.0.0.1', 'node', 'bd7c5bad-b935-4184-8641-5a5ee0e257a6', NULL, 1, '{"method": "email_password", "operation": "signUpEmail"}', 'bsi6WrJE-yl6apcStxx8ZyZHe9TvtQN9kuTy7PRE5jA', 'u3mFyoHMaxOecsNQZLLv6aiuRmf4NdKw79i4iq9jhPY', '2027-02-22 18:50:50.223+00', 161);
INSERT INTO public.audit_record VALUES ('01a20ee5-7c68-75d5-b9dd-3f4103758c2f', '2026-11-24 18:50:50.344+00', 'user.email_verified', 'success', NULL, 'visitor', NULL, 'user', '01a20ee5-7bee-7340-b6d1-ef5f368de2ea', NULL, NULL, NULL, '127.0.0.1', 'node', '300e9440-1a64-4587-a8a6-bf7477d2d304', NULL, 1, '{"method": "email_verification", "operation": "verifyEmail"}', 'fKgNOzbGVh9OOV_yAfmHHcgUXKooqT6IEVhf_S1WMVA', 't2Bc08cfCWBjETtCjB4ab4D7hg3nyKb6ukO68tWvdkM', '2027-11-24 18:50:50.344+00', 173);
INSERT INTO public.audit_record VALUES ('01a20ee5-7c68-75d5-b9dd-3f4211f309dc', '2026-11-24 18:50:50.344+00', 'credential.removed', 'success', NULL, 'visitor', NULL, 'user', '01a20ee5-7bee-7340-b6d1-ef5f368de2ea', NULL, NULL, NULL, '127.0.0.1', 'node', '300e9440-1a64-4587-a8a6-bf7477d2d304', NULL, 1, '{"id": "01a20ee5-7bee-7340-b6d1-ef60a429b7fe", "kind": "credential", "method": "email_verification", "operation": "verifyEmail"}', 'Lggihk9kjksGx6o_4ELvloHzqI2LDH1MXKwyseeYYTc', 'l7GVBYw0tCiIKoypmHPRlkrhJ5VzzmSJMTEepIRGiIg', '2027-11-24 18:50:50.344+00', 175);
INSERT INTO public.audit_record VALUES ('01a20ee5-7c75-7145-bbea-23622b55c39d', '2026-11-24 18:50:50.357+00', 'user.email_changed', 'success', NULL, 'user', '01a20ee5-7bee-7340-b6d1-ef5f368de2ea', 'user', '01a20ee5-7bee-7340-b6d1-ef5f368de2ea', NULL, '01a20ee5-7bef-750b-bfa4-cb3a6956ad41', NULL, '127.0.0.1', 'node', '0c30ca4d-39c3-401d-9a00-c9eb1ea4bf54', NULL, 1, '{"method": "email_verification", "operation": "changeEmail"}', 'nGv0HsqDeucVqGNWlIMr63PsFHJeOneutSmUQgnBNUk', 'Omo6DB5akk9gdmOlmQoNzW8bT8gzeJK1CIoWg72oXb8', '2027-11-24 18:50:50.357+00', 181);
INSERT INTO public.audit_record VALUES ('01a20ee5-7cad-731c-b056-e878795cdeab', '2026-11-24 18:50:50.413+00', 'user.created', 'success', NULL, 'visitor', NULL, 'user', '01a20ee5-7cac-71b3-a7fc-3fd1a95eef5b', NULL, NULL, NULL, '127.0.0.1', 'node', 'e5e8387e-b893-423d-ad89-50e6ec633561', NULL, 1, '{"method": "email_password", "operation": "signUpEmail"}', 'AV9NtOYvqAuUA9GiLXlKT9Jcv_w7qXZ3pD751nw_rxU', 'cB4XIkZFHpWh96ywoGdpbUwufRBB9FI_7Zc0IOQgLUg', '2027-11-24 18:50:50.413+00', 200);
INSERT INTO public.audit_record VALUES ('01a20ee5-7cad-731c-b056-e87994549f7b', '2026-11-24 18:50:50.413+00', 'credential.added', 'success', NULL, 'visitor', NULL, 'user', '01a20ee5-7cac-71b3-a7fc-3fd1a95eef5b', NULL, NULL, NULL, '127.0.0.1', 'node', 'e5e8387e-b893-423d-ad89-50e6ec633561', NULL, 1, '{"id": "01a20ee5-7cac-71b3-a7fc-3fd264695a0a", "kind": "credential", "method": "email_password", "operation": "signUpEmail"}', '02nzZLoTuhMwYEETpUUm1ULSSsRfD1gtzmT24fabvxU', 'ZmmTWxhqEZ6vi-klk_IiRlgrtIgPebHiVPK6Yi8VyVY', '2027-11-24 18:50:50.413+00', 202);
INSERT INTO public.audit_record VALUES ('01a20ee5-7cad-731c-b056-e87a30ca424e', '2026-11-24 18:50:50.413+00', 'sign_in.succeeded', 'success', NULL, 'user', '01a20ee5-7cac-71b3-a7fc-3fd1a95eef5b', 'user', '01a20ee5-7cac-71b3-a7fc-3fd1a95eef5b', NULL, '01a20ee5-7cad-731c-b056-e877075c1ca0', NULL, '127.0.0.1', 'node', 'e5e8387e-b893-423d-ad89-50e6ec633561', NULL, 1, '{"method": "email_password", "operation": "signUpEmail"}', 'sxSlmzBKrkUBqew_AkC9-ChhszGe2YML2-wg-IxYK74', 'HHs3Zxvx4uR6OUXsGnt0VWbOa5_QgTjRKZ6t35OkLb4', '2027-02-22 18:50:50.413+00', 204);
INSERT INTO public.audit_record VALUES ('01a20ee5-7cad-731c-b056-e87b67c02b39', '2026-11-24 18:50:50.413+00', 'session.opened', 'success', NULL, 'user', '01a20ee5-7cac-71b3-a7fc-3fd1a95eef5b', 'user', '01a20ee5-7cac-71b3-a7fc-3fd1a95eef5b', NULL, '01a20ee5-7cad-731c-b056-e877075c1ca0', NULL, '127.0.0.1', 'node', 'e5e8387e-b893-423d-ad89-50e6ec633561', NULL, 1, '{"method": "email_password", "operation": "signUpEmail"}', 'lg_mWUWYc_JALVtBzPw-rpalQ4pRhLRXTS0cWFI22QM', 'Z0mUil0H7F3OzTum5V3ftdvrX3F6hNa0whprNB7of48', '2027-02-22 18:50:50.413+00', 206);
INSERT INTO public.audit_record VALUES ('01a20ee5-7d32-73c3-9279-61c6f51f550c', '2026-11-24 18:50:50.546+00', 'credential.added', 'success', NULL, 'user', '01a20ee5-7cac-71b3-a7fc-3fd1a95eef5b', 'user', '01a20ee5-7cac-71b3-a7fc-3fd1a95eef5b', NULL, '01a20ee5-7cad-731c-b056-e877075c1ca0', NULL, '127.0.0.1', 'node', '04c0fbb5-9b0a-4b71-b984-b1c61cd17843', NULL, 1, '{"id": "01a20ee5-7d30-7267-92d5-60c7458e5b43", "kind": "phone", "method": "phone", "operation": "phoneVerify"}', 'gzkvUnATu2UICxRVzBoHCtbaj0MALmt1rAziMEldQ1o', 'P5E3ZgW2jiZtANHqfe8-JtNgFgdySD5I6fmlMG4QEcI', '2027-11-24 18:50:50.546+00', 219);
INSERT INTO public.audit_record VALUES ('01a20ee5-7d43-70a0-832e-63c317c9b108', '2026-11-24 18:50:50.563+00', 'user.created', 'success', NULL, 'visitor', NULL, 'user', '01a20ee5-7d42-7468-b423-f01883088662', NULL, NULL, NULL, '127.0.0.1', 'node', '1ce32ebf-5a65-4a6e-b888-2b31ec07679b', NULL, 1, '{"method": "email_password", "operation": "signUpEmail"}', 'JdJtWVDGBSVrKYIrxwsmvjQGBtBIVOC3f8olifBzI4w', 'tphK1_lzq4sD74yWq1FhUUUiFb8k5G_sRigYQLhS0AA', '2027-11-24 18:50:50.563+00', 225);
INSERT INTO public.audit_record VALUES ('01a20ee5-7d43-70a0-832e-63c4edce9806', '2026-11-24 18:50:50.564+00', 'credential.added', 'success', NULL, 'visitor', NULL, 'user', '01a20ee5-7d42-7468-b423-f01883088662', NULL, NULL, NULL, '127.0.0.1', 'node', '1ce32ebf-5a65-4a6e-b888-2b31ec07679b', NULL, 1, '{"id": "01a20ee5-7d42-7468-b423-f019a68c351d", "kind": "credential", "method": "email_password", "operation": "signUpEmail"}', 'x6xS_lfZi-SrkekS8AMeEn8ftR-J7umlER7uh6icBEM', 'MSYNutRsMbvVpNvJ7GjbT8jHjRVldnfuy9LBul1NxEc', '2027-11-24 18:50:50.564+00', 227);
INSERT INTO public.audit_record VALUES ('01a20ee5-7d44-771c-ae7c-cfe88c33551a', '2026-11-24 18:50:50.564+00', 'sign_in.succeeded', 'success', NULL, 'user', '01a20ee5-7d42-7468-b423-f01883088662', 'user', '01a20ee5-7d42-7468-b423-f01883088662', NULL, '01a20ee5-7d43-70a0-832e-63c2c9bd170b', NULL, '127.0.0.1', 'node', '1ce32ebf-5a65-4a6e-b888-2b31ec07679b', NULL, 1, '{"method": "email_password", "operation": "signUpEmail"}', 'JVJLavlu2z8VOXzwnsJChzu_j6gAFq6CkV7oHJXUjBk', 'Uv26aoSKOBDY0e5_yIur1rVwfPeRtoMKv9AN2gEtjdM', '2027-02-22 18:50:50.564+00', 229);
INSERT INTO public.audit_record VALUES ('01a20ee5-7d44-771c-ae7c-cfe9e0435eba', '2026-11-24 18:50:50.564+00', 'session.opened', 'success', NULL, 'user', '01a20ee5-7d42-7468-b423-f01883088662', 'user', '01a20ee5-7d42-7468-b423-f01883088662', NULL, '01a20ee5-7d43-70a0-832e-63c2c9bd170b', NULL, '127.0.0.1', 'node', '1ce32ebf-5a65-4a6e-b888-2b31ec07679b', NULL, 1, '{"method": "email_password", "operation": "signUpEmail"}', 'ILCFOMkF-yefNp4zCn9GvNTPq7pYnBWTzS_sVYcrWD0', 'QMZtA8Qot7NfDvXeHrb-OzllTxxBmjXFUQhpMUU0OY4', '2027-02-22 18:50:50.564+00', 231);
INSERT INTO public.audit_record VALUES ('01a20ee5-7dba-75f9-89dd-d04078119c6c', '2026-11-24 18:50:50.682+00', 'user.email_verified', 'success', NULL, 'visitor', NULL, 'user', '01a20ee5-7d42-7468-b423-f01883088662', NULL, NULL, NULL, '127.0.0.1', 'node', '767ed52a-24b0-47b3-98cd-8b7cf57642e4', NULL, 1, '{"method": "email_verification", "operation": "verifyEmail"}', 'pbkT84GD7CTwLStlJgzw21TLZnXcbPognd2HVjOtxEs', 'emxrJDqcaWsFtE5j1f6CYujSB7Cd5XJlFr-e0BVnXkY', '2027-11-24 18:50:50.682+00', 243);
INSERT INTO public.audit_record VALUES ('01a20ee5-7dba-75f9-89dd-d041e6d278d0', '2026-11-24 18:50:50.682+00', 'credential.removed', 'success', NULL, 'visitor', NULL, 'user', '01a20ee5-7d42-7468-b423-f01883088662', NULL, NULL, NULL, '127.0.0.1', 'node', '767ed52a-24b0-47b3-98cd-8b7cf57642e4', NULL, 1, '{"id": "01a20ee5-7d42-7468-b423-f019a68c351d", "kind": "credential", "method": "email_verification", "operation": "verifyEmail"}', 'Z9_QXPmhrzvFwf0t_6ZpLXUFdExgtDUbvS1Xy1o6PIc', 'CMlyWBV0lE60MVKvXfa1gFCxW-mQuqiYiGm6hr8UHZU', '2027-11-24 18:50:50.682+00', 245);
INSERT INTO public.audit_record VALUES ('01a20ee5-7de5-722e-ba4b-160e13cb3c3d', '2026-11-24 18:50:50.725+00', 'credential.added', 'success', NULL, 'user', '01a20ee5-7d42-7468-b423-f01883088662', 'user', '01a20ee5-7d42-7468-b423-f01883088662', NULL, '01a20ee5-7d43-70a0-832e-63c2c9bd170b', NULL, '127.0.0.1', 'node', 'e30c1d78-e0e2-4b4e-a946-458e2d34814f', NULL, 1, '{"kind": "totp", "method": "two_factor", "operation": "twoFactorTotpConfirm"}', 'emly5MWJZQU76bfCW36WMbD5klITlvRJ5-X6DiinbPE', '2QKTGrblBkqJrL-B-VxiXmLaF83KK8vjb5kXZvQDUso', '2027-11-24 18:50:50.725+00', 254);
INSERT INTO public.audit_record VALUES ('01a20ee5-7de5-722e-ba4b-160f0c344aa1', '2026-11-24 18:50:50.725+00', 'session.stepped_up', 'success', NULL, 'user', '01a20ee5-7d42-7468-b423-f01883088662', 'user', '01a20ee5-7d42-7468-b423-f01883088662', NULL, '01a20ee5-7d43-70a0-832e-63c2c9bd170b', NULL, '127.0.0.1', 'node', 'e30c1d78-e0e2-4b4e-a946-458e2d34814f', NULL, 1, '{"method": "two_factor", "operation": "twoFactorTotpConfirm"}', 'M4oUp_TU5UFVO7qMrpb4cEPMepyvuymDeFjpBGR5x_Y', 'ZffF9blijUNU0NO5dkKPe6HAsQUzyIooqF1C3eliM1I', '2027-02-22 18:50:50.725+00', 256);
INSERT INTO public.audit_record VALUES ('01a20ee5-7e0d-7148-a181-b6a607905cde', '2026-11-24 18:50:50.765+00', 'sign_in.challenged', 'success', NULL, 'visitor', NULL, 'user', '01a20ee5-7d42-7468-b423-f01883088662', NULL, NULL, NULL, '127.0.0.1', 'node', '3e41fa26-12c9-4f61-bf11-839117bf08c4', NULL, 1, '{"method": "email_password", "challenge": "two_factor", "operation": "signInEmail"}', 's_0TUz5ecpmOF78HSq2UNvcBub7d-XsODJLyZq0tD_0', 'i00d-rjEe4FhOeop3C5VyCOcE2Zl32dIXdXMGleoois', '2027-02-22 18:50:50.765+00', 262);
INSERT INTO public.audit_record VALUES ('01a20ee5-7e1c-74e9-b679-1bac4cfe05af', '2026-11-24 18:50:50.78+00', 'sign_in.succeeded', 'success', NULL, 'user', '01a20ee5-7d42-7468-b423-f01883088662', 'user', '01a20ee5-7d42-7468-b423-f01883088662', NULL, '01a20ee5-7e1b-723f-b05c-32d177b51d6c', NULL, '127.0.0.1', 'node', '54fd901f-fbc6-4596-871c-4e6f66379c12', NULL, 1, '{"method": "two_factor", "operation": "twoFactorTotpChallenge"}', 'EZu28MV2tH2EYp0HP4ynGAddO-2J-ObQLrlAYBC0G3g', 'HZGky0ZSPprAw_IuVW_nIQDsDTMrSFsTY09JO8Bc6Ww', '2027-02-22 18:50:50.78+00', 267);
INSERT INTO public.audit_record VALUES ('01a20ee5-7e1c-74e9-b679-1badef280355', '2026-11-24 18:50:50.78+00', 'session.opened', 'success', NULL, 'user', '01a20ee5-7d42-7468-b423-f01883088662', 'user', '01a20ee5-7d42-7468-b423-f01883088662', NULL, '01a20ee5-7e1b-723f-b05c-32d177b51d6c', NULL, '127.0.0.1', 'node', '54fd901f-fbc6-4596-871c-4e6f66379c12', NULL, 1, '{"method": "two_factor", "operation": "twoFactorTotpChallenge"}', '1_Al1lqUyoZl-IUDXdWt3cfCL04nRlbYwq9rBxNc9mM', 'UeBr_4gAzXvtJmrw0Su8213csR9QLjFq5RzGg5cZaLk', '2027-02-22 18:50:50.78+00', 269);
INSERT INTO public.audit_record VALUES ('01a20ee5-7e23-7240-a5ad-21243150956c', '2026-11-24 18:50:50.787+00', 'user.created', 'success', NULL, 'visitor', NULL, 'user', '01a20ee5-7e23-7240-a5ad-212113998e27', NULL, NULL, NULL, '127.0.0.1', 'node', 'cf86c9de-87ce-4dfd-9145-499533b5dc5e', NULL, 1, '{"method": "email_password", "operation": "signUpEmail"}', 'WbGmIZ_ugMDlxmrEMzAwUrjdHhauXQMIJRqyA-syuXo', 'k39-WJpkNe4o51aP6rDvJ_f9H-iHvYeQyr1Jl0jp1Bg', '2027-11-24 18:50:50.787+00', 276);
INSERT INTO public.audit_record VALUES ('01a20ee5-7e23-7240-a5ad-2125e9675f22', '2026-11-24 18:50:50.787+00', 'credential.added', 'success', NULL, 'visitor', NULL, 'user', '01a20ee5-7e23-7240-a5ad-212113998e27', NULL, NULL, NULL, '127.0.0.1', 'node', 'cf86c9de-87ce-4dfd-9145-499533b5dc5e', NULL, 1, '{"id": "01a20ee5-7e23-7240-a5ad-2122d0e87b6e", "kind": "credential", "method": "email_password", "operation": "signUpEmail"}', 'MbzZWkvy_RSsXL_aywXD9W5Kax-TQxpRDDW0DUjFi0Q', 'Cofz-dyPf4rqg0ocoD_2sVxkahvP8rChLB3Fy0o7a2c', '2027-11-24 18:50:50.787+00', 278);
INSERT INTO public.audit_record VALUES ('01a20ee5-7e23-7240-a5ad-212647ca644d', '2026-11-24 18:50:50.787+00', 'sign_in.succeeded', 'success', NULL, 'user', '01a20ee5-7e23-7240-a5ad-212113998e27', 'user', '01a20ee5-7e23-7240-a5ad-212113998e27', NULL, '01a20ee5-7e23-7240-a5ad-2123faf49465', NULL, '127.0.0.1', 'node', 'cf86c9de-87ce-4dfd-9145-499533b5dc5e', NULL, 1, '{"method": "email_password", "operation": "signUpEmail"}', 'J2F__cN55zJmB26zSYlwPvT-Eg45V2ZQIDwqAi6PmEg', '5gpNJSChWZg0Yx_nOTj4ITNAJybRZ1-2Bczy7J0gWrc', '2027-02-22 18:50:50.787+00', 280);
INSERT INTO public.audit_record VALUES ('01a20ee5-7e23-7240-a5ad-2127d5c65fc4', '2026-11-24 18:50:50.787+00', 'session.opened', 'success', NULL, 'user', '01a20ee5-7e23-7240-a5ad-212113998e27', 'user', '01a20ee5-7e23-7240-a5ad-212113998e27', NULL, '01a20ee5-7e23-7240-a5ad-2123faf49465', NULL, '127.0.0.1', 'node', 'cf86c9de-87ce-4dfd-9145-499533b5dc5e', NULL, 1, '{"method": "email_password", "operation": "signUpEmail"}', 'YLtqDRxgw4sXjt4yQH7oIWhuHdVbssPdwCcidighCbI', 'tJQIMuHZO-Aa-5UHrRd2E9VpQiRs_MsR1G6HviBox-Y', '2027-02-22 18:50:50.787+00', 282);
INSERT INTO public.audit_record VALUES ('01a20ee5-7e97-73a1-ab52-1c5202974b23', '2026-11-24 18:50:50.903+00', 'user.email_verified', 'success', NULL, 'visitor', NULL, 'user', '01a20ee5-7e23-7240-a5ad-212113998e27', NULL, NULL, NULL, '127.0.0.1', 'node', '8fea0f53-7c2d-4ec0-8400-226ca5828d6d', NULL, 1, '{"method": "email_verification", "operation": "verifyEmail"}', 'F_T9oDBAcwyk995HcsYj6DilvXqqyJneggimztz9vqk', 'YD5tMbhMMoEohmF4kfOLJpxS7mA7uIyUf5gxR6onUyI', '2027-11-24 18:50:50.903+00', 293);
INSERT INTO public.audit_record VALUES ('01a20ee5-7e97-73a1-ab52-1c532236daf6', '2026-11-24 18:50:50.903+00', 'credential.removed', 'success', NULL, 'visitor', NULL, 'user', '01a20ee5-7e23-7240-a5ad-212113998e27', NULL, NULL, NULL, '127.0.0.1', 'node', '8fea0f53-7c2d-4ec0-8400-226ca5828d6d', NULL, 1, '{"id": "01a20ee5-7e23-7240-a5ad-2122d0e87b6e", "kind": "credential", "method": "email_verification", "operation": "verifyEmail"}', 'C2PYGswx4MqctCpuJYzgmP0mWKVWw0Tx_ppVeD05_Bc', 'djSGdobSg7Y8T3xi1fJM8xw57o4gm4jKmV_hRcAmMoI', '2027-11-24 18:50:50.903+00', 295);
INSERT INTO public.audit_record VALUES ('01a20ee5-7ea6-7351-9175-033e13f518f2', '2026-11-24 18:50:50.918+00', 'user.created', 'success', NULL, 'visitor', NULL, 'user', '01a20ee5-7ea5-7406-8535-b68ec23805c4', NULL, NULL, NULL, '127.0.0.1', 'node', '48efaf55-eef6-4a54-9758-487df71d0f6c', NULL, 1, '{"method": "email_password", "operation": "signUpEmail"}', '6iw3xxP3Sf-7ggeoxMgZTrnzf3ZKIeXwqp4oXpQYQu0', 'cnsjdMOxaglg-1jAwHyO6UX3DAErP1W6L-XidqVoFFo', '2027-11-24 18:50:50.918+00', 303);
INSERT INTO public.audit_record VALUES ('01a20ee5-7ea6-7351-9175-033fc968937c', '2026-11-24 18:50:50.918+00', 'credential.added', 'success', NULL, 'visitor', NULL, 'user', '01a20ee5-7ea5-7406-8535-b68ec23805c4', NULL, NULL, NULL, '127.0.0.1', 'node', '48efaf55-eef6-4a54-9758-487df71d0f6c', NULL, 1, '{"id": "01a20ee5-7ea5-7406-8535-b68feba20580", "kind": "credential", "method": "email_password", "operation": "signUpEmail"}', '7KeCaoufTHU-DP-ti3JlW82Z4wKtcEM6IqRy2lPtTBA', 'vvFehJVDOlkPeajOtF0eZvnhdEyH6r84uqPglDV-6hA', '2027-11-24 18:50:50.918+00', 305);
INSERT INTO public.audit_record VALUES ('01a20ee5-7ea6-7351-9175-03402c7272c1', '2026-11-24 18:50:50.918+00', 'sign_in.succeeded', 'success', NULL, 'user', '01a20ee5-7ea5-7406-8535-b68ec23805c4', 'user', '01a20ee5-7ea5-7406-8535-b68ec23805c4', NULL, '01a20ee5-7ea6-7351-9175-033d5531463c', NULL, '127.0.0.1', 'node', '48efaf55-eef6-4a54-9758-487df71d0f6c', NULL, 1, '{"method": "email_password", "operation": "signUpEmail"}', 'QtsLybRK2GGAwl1PceuuGiqj-_3UBc0u-fXDdIH-Oug', 'ce_aSRjev84u6igmyQdxHDDLa4K0Oay2RxwYMCdHm3E', '2027-02-22 18:50:50.918+00', 307);
INSERT INTO public.audit_record VALUES ('01a20ee5-7ea6-7351-9175-03419f3214a0', '2026-11-24 18:50:50.918+00', 'session.opened', 'success', NULL, 'user', '01a20ee5-7ea5-7406-8535-b68ec23805c4', 'user', '01a20ee5-7ea5-7406-8535-b68ec23805c4', NULL, '01a20ee5-7ea6-7351-9175-033d5531463c', NULL, '127.0.0.1', 'node', '48efaf55-eef6-4a54-9758-487df71d0f6c', NULL, 1, '{"method": "email_password", "operation": "signUpEmail"}', '7NDgy9eN4vrpEcyyIx0RTIr--HacMkxLC6KYodNeBHY', 'g1sERfgTanHAhO81O1Zx9btWhcHcHR_JbREBPAqeS1M', '2027-02-22 18:50:50.918+00', 309);
INSERT INTO public.audit_record VALUES ('01a20ee5-7f1b-75ff-843d-2f76af293d57', '2026-11-24 18:50:51.035+00', 'user.email_verified', 'success', NULL, 'visitor', NULL, 'user', '01a20ee5-7ea5-7406-8535-b68ec23805c4', NULL, NULL, NULL, '127.0.0.1', 'node', 'ec7daf79-ffd0-4147-9c05-217c2aa9d2b3', NULL, 1, '{"method": "email_verification", "operation": "verifyEmail"}', 'sUuK9H2gwRsYC_OSO9gawI7e2MpSh0y3Y-okn6c54Dg', 'j00RWAd-6X3_I0wLPTmywpCHC4oMy6vlAG0ioqc8axY', '2027-11-24 18:50:51.035+00', 320);
INSERT INTO public.audit_record VALUES ('01a20ee5-7f1b-75ff-843d-2f7751c8187d', '2026-11-24 18:50:51.035+00', 'credential.removed', 'success', NULL, 'visitor', NULL, 'user', '01a20ee5-7ea5-7406-8535-b68ec23805c4', NULL, NULL, NULL, '127.0.0.1', 'node', 'ec7daf79-ffd0-4147-9c05-217c2aa9d2b3', NULL, 1, '{"id": "01a20ee5-7ea5-7406-8535-b68feba20580", "kind": "credential", "method": "email_verification", "operation": "verifyEmail"}', 'ICw3-fToh8ZmyHc3u5h0IFw2TCLtsSvdbdsfx9m-E_k', 'DoAQW5Dt3Oen1nETnAiOGXCnDTJCHrzNepM60IhboOY', '2027-11-24 18:50:51.035+00', 322);
INSERT INTO public.audit_record VALUES ('01a20ee5-83b8-769e-9a7f-8369724ccf98', '2026-11-24 18:50:52.216+00', 'credential.added', 'success', NULL, 'user', '01a20ee5-7ea5-7406-8535-b68ec23805c4', 'user', '01a20ee5-7ea5-7406-8535-b68ec23805c4', NULL, '01a20ee5-7ea6-7351-9175-033d5531463c', NULL, '127.0.0.1', 'node', 'f95a9371-45e7-419a-8395-66b70dd2f665', NULL, 1, '{"id": "01a20ee5-83a8-765d-b618-ca9f6787599c", "kind": "passkey", "method": "passkey", "operation": "passkeyRegisterVerify"}', 'LUbA1NNaB_2zRU4PmZGYd2hx-yzL5YIlQnA8lmnz0f8', 'odhLtWVvAHL1N_3tAk1TyESCbBlxGnh8B7D6xD9Bmmc', '2027-11-24 18:50:52.216+00', 332);
INSERT INTO public.audit_record VALUES ('01a20ee5-83e8-720c-9628-5240281d4e6c', '2026-11-24 18:50:52.264+00', 'sign_in.challenged', 'success', NULL, 'visitor', NULL, 'user', '01a20ee5-7d42-7468-b423-f01883088662', NULL, NULL, NULL, '127.0.0.1', 'node', 'e843e1d9-7f9e-4644-9c6f-cfb1a1c4c01d', NULL, 1, '{"method": "email_password", "challenge": "two_factor", "operation": "signInEmail"}', 'JgVKPjxA-xVZyJz9fFCPaiuMlYdKGNBYs_Q7y1tGi0E', 'pppbncaWBH8DUK3THGF1XSLC9f-jf92_VZpD5n9-ObY', '2027-02-22 18:50:52.264+00', 337);
INSERT INTO public.audit_record VALUES ('01a20ee5-842c-76a3-8220-b35000db342a', '2026-11-24 18:50:52.332+00', 'user.created', 'success', NULL, 'visitor', NULL, 'user', '01a20ee5-8427-768f-8634-f48c038fe4e5', NULL, NULL, NULL, '127.0.0.1', 'node', 'd36efea2-a6be-4f0e-82e2-a38f259df53c', NULL, 1, '{"method": "email_password", "operation": "signUpEmail"}', 'I8F2dLNsgWZY0lYQAE0AIpjeFuYxRSmsmecrsG68MqM', 'i7PJQndQUQg36JH3LWlZJEzfOiFNbj4qe--KFw6ShPE', '2027-11-24 18:50:52.332+00', 345);
INSERT INTO public.audit_record VALUES ('01a20ee5-842c-76a3-8220-b351ed34bea7', '2026-11-24 18:50:52.332+00', 'credential.added', 'success', NULL, 'visitor', NULL, 'user', '01a20ee5-8427-768f-8634-f48c038fe4e5', NULL, NULL, NULL, '127.0.0.1', 'node', 'd36efea2-a6be-4f0e-82e2-a38f259df53c', NULL, 1, '{"id": "01a20ee5-8427-768f-8634-f48d9459a558", "kind": "credential", "method": "email_password", "operation": "signUpEmail"}', '6xZoEAoLJyXDorQuCSYG98p1zDlakC66ovcGhaKre_I', 'eVejI6YF4zeWTy7gQ326n3X6ACOpYXgxERGQM1cEPOg', '2027-11-24 18:50:52.332+00', 347);
INSERT INTO public.audit_record VALUES ('01a20ee5-842c-76a3-8220-b352ac881348', '2026-11-24 18:50:52.332+00', 'sign_in.succeeded', 'success', NULL, 'user', '01a20ee5-8427-768f-8634-f48c038fe4e5', 'user', '01a20ee5-8427-768f-8634-f48c038fe4e5', NULL, '01a20ee5-842c-76a3-8220-b34fda55ab91', NULL, '127.0.0.1', 'node', 'd36efea2-a6be-4f0e-82e2-a38f259df53c', NULL, 1, '{"method": "email_password", "operation": "signUpEmail"}', 'awX6rJ8SD3r8MPr6g4n6ftFFQi1DV1TNmz142C2nb3w', 'YrscStK8wUIi8xrMA4wEP93cxYQ9Zy78soNbBXBUz-8', '2027-02-22 18:50:52.332+00', 349);
INSERT INTO public.audit_record VALUES ('01a20ee5-842c-76a3-8220-b3538da2fb16', '2026-11-24 18:50:52.332+00', 'session.opened', 'success', NULL, 'user', '01a20ee5-8427-768f-8634-f48c038fe4e5', 'user', '01a20ee5-8427-768f-8634-f48c038fe4e5', NULL, '01a20ee5-842c-76a3-8220-b34fda55ab91', NULL, '127.0.0.1', 'node', 'd36efea2-a6be-4f0e-82e2-a38f259df53c', NULL, 1, '{"method": "email_password", "operation": "signUpEmail"}', 'BFm1auYI2HTdWvH_wHPqaQ3bTVqMbCb_de-iWPw777I', 'q0JEBIk_TlZrnML1tYwCK1CX5FLcZR4iDB7BjfoFT9M', '2027-02-22 18:50:52.332+00', 351);
INSERT INTO public.audit_record VALUES ('01a20ee5-8452-7482-bc2b-b048dea0ec9d', '2026-11-24 18:50:52.37+00', 'user.created', 'success', NULL, 'visitor', NULL, 'user', '01a20ee5-8447-706e-a46c-1027fec44718', NULL, NULL, NULL, '127.0.0.1', 'node', '0532e1fd-6e02-4ae2-ab1f-ba25473ecd3e', NULL, 1, '{"method": "email_password", "operation": "signUpEmail"}', 'LSh90pZJXEw_jCJmkpFrTbEJi1GX042ed62D1fgZ93g', 'P9PH7htnN_n5BJXQFXgdS_N5GxLnM9pC_UZOLDv8R5c', '2027-11-24 18:50:52.37+00', 360);
INSERT INTO public.audit_record VALUES ('01a20ee5-8452-7482-bc2b-b049f9b7ad4d', '2026-11-24 18:50:52.37+00', 'credential.added', 'success', NULL, 'visitor', NULL, 'user', '01a20ee5-8447-706e-a46c-1027fec44718', NULL, NULL, NULL, '127.0.0.1', 'node', '0532e1fd-6e02-4ae2-ab1f-ba25473ecd3e', NULL, 1, '{"id": "01a20ee5-8447-706e-a46c-1028e8ea6fb7", "kind": "credential", "method": "email_password", "operation": "signUpEmail"}', '05ij41iy7tuNQ-4Csf5JV52ObLgoh5iOaDdeu2Nbwsc', 'a3xQQ4VV1pq8fijVeqrwiKrcF0-fwxnbFf1yrfUNRHg', '2027-11-24 18:50:52.37+00', 362);
INSERT INTO public.audit_record VALUES ('01a20ee5-8452-7482-bc2b-b04a082570ad', '2026-11-24 18:50:52.37+00', 'sign_in.succeeded', 'success', NULL, 'user', '01a20ee5-8447-706e-a46c-1027fec44718', 'user', '01a20ee5-8447-706e-a46c-1027fec44718', NULL, '01a20ee5-844c-72a7-bf86-d26959bba3cf', NULL, '127.0.0.1', 'node', '0532e1fd-6e02-4ae2-ab1f-ba25473ecd3e', NULL, 1, '{"method": "email_password", "operation": "signUpEmail"}', 'ahcMFAAtllJpW5Gsr5X0Qp1QOAO3FowaFfrsJKPHl94', 'eE1dIBU1TrF-8G4W9yLubwHrXtASuJoczv_Iuo7SXEY', '2027-02-22 18:50:52.37+00', 364);
INSERT INTO public.audit_record VALUES ('01a20ee5-8452-7482-bc2b-b04bda48eb43', '2026-11-24 18:50:52.37+00', 'session.opened', 'success', NULL, 'user', '01a20ee5-8447-706e-a46c-1027fec44718', 'user', '01a20ee5-8447-706e-a46c-1027fec44718', NULL, '01a20ee5-844c-72a7-bf86-d26959bba3cf', NULL, '127.0.0.1', 'node', '0532e1fd-6e02-4ae2-ab1f-ba25473ecd3e', NULL, 1, '{"method": "email_password", "operation": "signUpEmail"}', 'djCL7uNCWVXfXcC0sQI2yg4sW200ImM7AsZ7gdFFfAo', 'L43eXaPlnxqVRYz8Ime7IkAgEbvNNb7vhRc6wB3WUqY', '2027-02-22 18:50:52.37+00', 366);
INSERT INTO public.audit_record VALUES ('01a20ee5-852c-7370-8cb3-fc249dd6874a', '2026-11-24 18:50:52.588+00', 'user.created', 'success', NULL, 'visitor', NULL, 'user', '01a20ee5-8528-7091-b7fe-4d55775a6d90', NULL, NULL, NULL, '127.0.0.1', 'node', '80e50ab8-8f37-4ba7-bd46-0ee128e25a4a', NULL, 1, '{"method": "social", "operation": "oauthCallback"}', '_VPUmNz1PQPfQI6jYwdgGCKpUQvw5eR-UV9Hu5GB3bQ', 'p_oQaExnfN3lzpzYJlAIHiumlYHK6r_tXu8JijZDX-I', '2027-11-24 18:50:52.588+00', 376);
INSERT INTO public.audit_record VALUES ('01a20ee5-852c-7370-8cb3-fc25f3005324', '2026-11-24 18:50:52.588+00', 'credential.added', 'success', NULL, 'visitor', NULL, 'user', '01a20ee5-8528-7091-b7fe-4d55775a6d90', NULL, NULL, NULL, '127.0.0.1', 'node', '80e50ab8-8f37-4ba7-bd46-0ee128e25a4a', NULL, 1, '{"id": "01a20ee5-8528-7091-b7fe-4d56c3fc85bb", "kind": "elsewhere", "method": "social", "operation": "oauthCallback"}', 'FlMhApKU5a7wQ2ur0pd3wTEN8-ewfwnGq7RsJ3b--qs', 'O45wH6fiwPN5WLnE0JSt-qaGASv8Xo9-q9iREEz-Rfo', '2027-11-24 18:50:52.588+00', 378);
INSERT INTO public.audit_record VALUES ('01a20ee5-852c-7370-8cb3-fc2663e1a65e', '2026-11-24 18:50:52.588+00', 'sign_in.succeeded', 'success', NULL, 'user', '01a20ee5-8528-7091-b7fe-4d55775a6d90', 'user', '01a20ee5-8528-7091-b7fe-4d55775a6d90', NULL, '01a20ee5-852c-7370-8cb3-fc2389aee182', NULL, '127.0.0.1', 'node', '80e50ab8-8f37-4ba7-bd46-0ee128e25a4a', NULL, 1, '{"method": "social", "operation": "oauthCallback"}', '_ykEytwq6het7gqQ3PQdn6TINuDDVrM_kdoSEkePfUw', 'xlnGxogPw527I3Um4H2G6wqKMHs-M7kofDuyp9f9n8U', '2027-02-22 18:50:52.588+00', 380);
INSERT INTO public.audit_record VALUES ('01a20ee5-8533-705b-85a7-489589828b17', '2026-11-24 18:50:52.595+00', 'session.opened', 'success', NULL, 'user', '01a20ee5-8528-7091-b7fe-4d55775a6d90', 'user', '01a20ee5-8528-7091-b7fe-4d55775a6d90', NULL, '01a20ee5-852c-7370-8cb3-fc2389aee182', NULL, '127.0.0.1', 'node', '80e50ab8-8f37-4ba7-bd46-0ee128e25a4a', NULL, 1, '{"method": "social", "operation": "oauthCallback"}', 'X9N44t0-7x07qFunDDImZlT-HJSdabZw_RseSZOd-BE', 'Mb-HsLfaXNmly9sFG8tlGzbr8QJr3EYeGPa1xRUj84c', '2027-02-22 18:50:52.595+00', 382);
INSERT INTO public.audit_record VALUES ('01a20ee5-86c9-7544-84e9-06fb27ca446d', '2026-11-24 18:50:53.001+00', 'user.created', 'success', NULL, 'visitor', NULL, 'user', '01a20ee5-86b4-718b-94d1-83dfd0760577', NULL, NULL, NULL, '127.0.0.1', 'node', '7b744446-b851-4a2b-a3cd-b8c6343137be', NULL, 1, '{"method": "siwe", "operation": "siweVerify"}', '60wudVASRHrQVLY90t2URAJZGT0uFzLCG7h8QpI-kf8', 'Djtl8sC5sJHNCz8DbHipyp8pupAnlLeLGG5KbPYjStA', '2027-11-24 18:50:53.001+00', 393);
INSERT INTO public.audit_record VALUES ('01a20ee5-86c9-7544-84e9-06fcf7a099f0', '2026-11-24 18:50:53.001+00', 'credential.added', 'success', NULL, 'visitor', NULL, 'user', '01a20ee5-86b4-718b-94d1-83dfd0760577', NULL, NULL, NULL, '127.0.0.1', 'node', '7b744446-b851-4a2b-a3cd-b8c6343137be', NULL, 1, '{"id": "01a20ee5-86c4-74bb-99f2-f20c82aabf6b", "kind": "siwe", "method": "siwe", "operation": "siweVerify"}', 'pqHcvdQcCQwwl9nDcFeKhJUuHlwARUoXWPgM7pRC90w', '4PLBIwZ9tsVrPFPq6kkydJJNnBdK3btLlbj6J3D_Cg4', '2027-11-24 18:50:53.001+00', 395);
INSERT INTO public.audit_record VALUES ('01a20ee5-86c9-7544-84e9-06fd779bfc1c', '2026-11-24 18:50:53.001+00', 'sign_in.succeeded', 'success', NULL, 'user', '01a20ee5-86b4-718b-94d1-83dfd0760577', 'user', '01a20ee5-86b4-718b-94d1-83dfd0760577', NULL, '01a20ee5-86c9-7544-84e9-06fac31d60ad', NULL, '127.0.0.1', 'node', '7b744446-b851-4a2b-a3cd-b8c6343137be', NULL, 1, '{"method": "siwe", "operation": "siweVerify"}', 'MpAxgFY-ecLGPEPVf6gZTAotfNB0E_FQ2LNcHnzDDQU', '0vUHLc69S0x5FsmZJc89W1DDDBfaZeOx014RLt_R2BQ', '2027-02-22 18:50:53.001+00', 397);
INSERT INTO public.audit_record VALUES ('01a20ee5-86ca-7421-ada5-38b0c74392fc', '2026-11-24 18:50:53.002+00', 'session.opened', 'success', NULL, 'user', '01a20ee5-86b4-718b-94d1-83dfd0760577', 'user', '01a20ee5-86b4-718b-94d1-83dfd0760577', NULL, '01a20ee5-86c9-7544-84e9-06fac31d60ad', NULL, '127.0.0.1', 'node', '7b744446-b851-4a2b-a3cd-b8c6343137be', NULL, 1, '{"method": "siwe", "operation": "siweVerify"}', 'ETL7G9faMhnSWKJlo3PnCe7Gh6rcdKKxnksQlkRahio', 'OcLKwF4b_1qud65Al83dInvPrWjCYTj8fMuGznV-8mg', '2027-02-22 18:50:53.002+00', 399);
INSERT INTO public.audit_record VALUES ('01a20ee5-86f6-7634-aec5-22fe5e209ebf', '2026-11-24 18:50:53.046+00', 'user.created', 'success', NULL, 'visitor', NULL, 'user', '01a20ee5-86f3-7092-b64b-9c035bf9f8e2', NULL, NULL, NULL, '127.0.0.1', 'node', '881ce041-a1e6-4a65-842b-d7adf4b9a45c', NULL, 1, '{"method": "email_password", "operation": "signUpEmail"}', 'f6aLsyL9Y_uJmTdqXKsc3CWF-ZSJfXXmacy6cda_CII', 'Rw56IKQhz-eu4MZAQotbO8tSB-LPAv-YPgkg4UvnaeY', '2027-11-24 18:50:53.046+00', 408);
INSERT INTO public.audit_record VALUES ('01a20ee5-86f6-7634-aec5-22ffa5a36418', '2026-11-24 18:50:53.046+00', 'credential.added', 'success', NULL, 'visitor', NULL, 'user', '01a20ee5-86f3-7092-b64b-9c035bf9f8e2', NULL, NULL, NULL, '127.0.0.1', 'node', '881ce041-a1e6-4a65-842b-d7adf4b9a45c', NULL, 1, '{"id": "01a20ee5-86f3-7092-b64b-9c0476a1479b", "kind": "credential", "method": "email_password", "operation": "signUpEmail"}', 'E2fZRE6vl2SdyALvu4JOSTcEodROmlmjWOopWFzBSB8', '7HPZuamjkMxsWOffkI30Hv0APyNfDf9rFUiXAgjC7ik', '2027-11-24 18:50:53.046+00', 410);
INSERT INTO public.audit_record VALUES ('01a20ee5-86f6-7634-aec5-2300d91cd5ec', '2026-11-24 18:50:53.046+00', 'sign_in.succeeded', 'success', NULL, 'user', '01a20ee5-86f3-7092-b64b-9c035bf9f8e2', 'user', '01a20ee5-86f3-7092-b64b-9c035bf9f8e2', NULL, '01a20ee5-86f6-7634-aec5-22fd8a326536', NULL, '127.0.0.1', 'node', '881ce041-a1e6-4a65-842b-d7adf4b9a45c', NULL, 1, '{"method": "email_password", "operation": "signUpEmail"}', '98Rns1eG3ppZze-XULwoAnwNX42iqDIS3In_YGJjKkY', 'S0WrJKBl1_IIPJaKKkenjs4mUiBWDcgOUGqxJq_b9II', '2027-02-22 18:50:53.046+00', 412);
INSERT INTO public.audit_record VALUES ('01a20ee5-86f6-7634-aec5-2301680542b5', '2026-11-24 18:50:53.046+00', 'session.opened', 'success', NULL, 'user', '01a20ee5-86f3-7092-b64b-9c035bf9f8e2', 'user', '01a20ee5-86f3-7092-b64b-9c035bf9f8e2', NULL, '01a20ee5-86f6-7634-aec5-22fd8a326536', NULL, '127.0.0.1', 'node', '881ce041-a1e6-4a65-842b-d7adf4b9a45c', NULL, 1, '{"method": "email_password", "operation": "signUpEmail"}', 'bk_5b-YKsDiblUyPLfIGouch_Ap2VIO_DLOfl4o3cVE', 'GBnfQkiBuCEZpYKBRCAyzpR-pY3md8Y7G33E_MeoguI', '2027-02-22 18:50:53.046+00', 414);
INSERT INTO public.audit_record VALUES ('01a20ee5-8768-72ba-a73d-398fd060221d', '2026-11-24 18:50:53.16+00', 'user.created', 'success', NULL, 'visitor', NULL, 'user', '01a20ee5-8767-764c-8900-6a29f8010c6a', NULL, NULL, NULL, '127.0.0.1', 'node', '6d9bdeb0-cc1a-41ec-89d3-756a065940e2', NULL, 1, '{"method": "email_password", "operation": "signUpEmail"}', 'nhiP5skXpLXtDqTwGtVHupz5Ym6_UDBXsVYjZu-a0FA', '1J2gYuHLJJ7xwWkJ6f4E6rvfCgPBz9te6t3aldcUEII', '2027-11-24 18:50:53.16+00', 426);
INSERT INTO public.audit_record VALUES ('01a20ee5-8768-72ba-a73d-39909c6e455d', '2026-11-24 18:50:53.16+00', 'credential.added', 'success', NULL, 'visitor', NULL, 'user', '01a20ee5-8767-764c-8900-6a29f8010c6a', NULL, NULL, NULL, '127.0.0.1', 'node', '6d9bdeb0-cc1a-41ec-89d3-756a065940e2', NULL, 1, '{"id": "01a20ee5-8767-764c-8900-6a2a9304adfa", "kind": "credential", "method": "email_password", "operation": "signUpEmail"}', 'o7MGfQh19_q3x_3ivRRf3bS2XQEvDNE25Yp4Mo9Hffc', 'cY-SRTeXWm5chAbGtfU8OrOF5b84eyOp3hV1VeTwBlg', '2027-11-24 18:50:53.16+00', 428);
INSERT INTO public.audit_record VALUES ('01a20ee5-8768-72ba-a73d-3991b006c9d7', '2026-11-24 18:50:53.16+00', 'sign_in.succeeded', 'success', NULL, 'user', '01a20ee5-8767-764c-8900-6a29f8010c6a', 'user', '01a20ee5-8767-764c-8900-6a29f8010c6a', NULL, '01a20ee5-8768-72ba-a73d-398e21d1c2da', NULL, '127.0.0.1', 'node', '6d9bdeb0-cc1a-41ec-89d3-756a065940e2', NULL, 1, '{"method": "email_password", "operation": "signUpEmail"}', 'uFpDMr1H1N3LP2BFMOZAQHykZx91nJjLlL7YZwGye1k', 'hTGuVSUWjiO_qbHGniLTkSHIpLvfKo3hcSohwyzLSqE', '2027-02-22 18:50:53.16+00', 430);
INSERT INTO public.audit_record VALUES ('01a20ee5-8768-72ba-a73d-3992e174a0b3', '2026-11-24 18:50:53.16+00', 'session.opened', 'success', NULL, 'user', '01a20ee5-8767-764c-8900-6a29f8010c6a', 'user', '01a20ee5-8767-764c-8900-6a29f8010c6a', NULL, '01a20ee5-8768-72ba-a73d-398e21d1c2da', NULL, '127.0.0.1', 'node', '6d9bdeb0-cc1a-41ec-89d3-756a065940e2', NULL, 1, '{"method": "email_password", "operation": "signUpEmail"}', 'h-6U0JCjwLn9RoK1Y1oHruRRuRywV-y94wxwaUBnq8k', 'myw7M0I91hmipcd4Lzcb3NB2QAxN98MHdrGhGJaXx7M', '2027-02-22 18:50:53.16+00', 432);
INSERT INTO public.audit_record VALUES ('01a20ee5-882d-7557-99dd-4b6aa85a0368', '2026-11-24 18:50:53.357+00', 'user.email_verified', 'success', NULL, 'visitor', NULL, 'user', '01a20ee5-8767-764c-8900-6a29f8010c6a', NULL, NULL, NULL, '127.0.0.1', 'node', '641fe3ab-d61a-449c-a0a5-714ca1259c4c', NULL, 1, '{"method": "email_verification", "operation": "verifyEmail"}', 'p7GFShLJGgt8fAXeAQrLgtgovkpu5LmMP7jrInWJLVE', 'vQszF3k-njzfLuv2h1bhSIPkmZxPIEoD-a8eZ3F6rZw', '2027-11-24 18:50:53.357+00', 444);
INSERT INTO public.audit_record VALUES ('01a20ee5-882d-7557-99dd-4b6b86846df5', '2026-11-24 18:50:53.357+00', 'credential.removed', 'success', NULL, 'visitor', NULL, 'user', '01a20ee5-8767-764c-8900-6a29f8010c6a', NULL, NULL, NULL, '127.0.0.1', 'node', '641fe3ab-d61a-449c-a0a5-714ca1259c4c', NULL, 1, '{"id": "01a20ee5-8767-764c-8900-6a2a9304adfa", "kind": "credential", "method": "email_verification", "operation": "verifyEmail"}', 'qLaNd3vlWtkTT4GniTU8lec1jK34gqZe2QrA5oxi8fc', 'GoPenCqiMGXG1iHEWBVbGXtZJTUhWZknnvHwj384-gQ', '2027-11-24 18:50:53.357+00', 446);
INSERT INTO public.audit_record VALUES ('01a20ee5-884b-73f7-b919-53b35230d6bd', '2026-11-24 18:50:53.387+00', 'organization.created', 'success', NULL, 'user', '01a20ee5-8767-764c-8900-6a29f8010c6a', 'organization', '01a20ee5-8840-77fb-ba4e-0468a99726d7', '01a20ee5-8840-77fb-ba4e-0468a99726d7', '01a20ee5-8768-72ba-a73d-398e21d1c2da', NULL, '127.0.0.1', 'node', 'd1ef5b47-6b8f-464c-ac62-71b11a5903fa', NULL, 1, '{"method": "organization", "operation": "organizationCreate"}', 'qH5ziFCJrdi2k9b59gju1p-1y5aJm3XhdlpSXJLPdYc', 'WkxedQFQmR5U-fvo3tCrkxqLIeV8W4Uld-v5m-evpiU', '2027-11-24 18:50:53.387+00', 453);
INSERT INTO public.audit_record VALUES ('01a20ee5-884b-73f7-b919-53b4a18de992', '2026-11-24 18:50:53.387+00', 'organization.member_added', 'success', NULL, 'user', '01a20ee5-8767-764c-8900-6a29f8010c6a', 'user', '01a20ee5-8767-764c-8900-6a29f8010c6a', '01a20ee5-8840-77fb-ba4e-0468a99726d7', '01a20ee5-8768-72ba-a73d-398e21d1c2da', NULL, '127.0.0.1', 'node', 'd1ef5b47-6b8f-464c-ac62-71b11a5903fa', NULL, 1, '{"role": "owner", "method": "organization", "operation": "organizationCreate"}', '69YOfL3p_bk0nE32zpxjvo88xNMwdweq4GgayxP4CT4', 'LjkyHwsGjwh5nqmTYCI83H7u3HtFPgp4dPAYjG-sPxc', '2027-11-24 18:50:53.387+00', 455);
INSERT INTO public.audit_record VALUES ('01a20ee5-886b-766d-9872-8b68d085b8ba', '2026-11-24 18:50:53.419+00', 'user.created', 'success', NULL, 'visitor', NULL, 'user', '01a20ee5-8857-756b-b3ae-49396ab054e2', NULL, NULL, NULL, '127.0.0.1', 'node', '72625311-1628-4e56-ba85-f8513f8ac115', NULL, 1, '{"method": "email_password", "operation": "signUpEmail"}', 'NOBkOfxxRMtYchcmHuxND22Jxq6ZPAMc_AHeFuQ3LlA', 'K7n00p1TBs97A1ucKw-E1O9oN8J9uzdqjjPpZ9FYgbs', '2027-11-24 18:50:53.419+00', 462);
INSERT INTO public.audit_record VALUES ('01a20ee5-886b-766d-9872-8b698b0bd49f', '2026-11-24 18:50:53.419+00', 'credential.added', 'success', NULL, 'visitor', NULL, 'user', '01a20ee5-8857-756b-b3ae-49396ab054e2', NULL, NULL, NULL, '127.0.0.1', 'node', '72625311-1628-4e56-ba85-f8513f8ac115', NULL, 1, '{"id": "01a20ee5-8857-756b-b3ae-493ae9c58aed", "kind": "credential", "method": "email_password", "operation": "signUpEmail"}', 'mVoLr8eUwyUITJTTgrCuTiZnuNdjLpneQToz4jPjjSI', 'eRHguiJS-ledlMqBKJIayzB3lLMUXyjBUhDhKQZe1tI', '2027-11-24 18:50:53.419+00', 464);
INSERT INTO public.audit_record VALUES ('01a20ee5-886b-766d-9872-8b6a72445695', '2026-11-24 18:50:53.419+00', 'sign_in.succeeded', 'success', NULL, 'user', '01a20ee5-8857-756b-b3ae-49396ab054e2', 'user', '01a20ee5-8857-756b-b3ae-49396ab054e2', NULL, '01a20ee5-886b-766d-9872-8b677ebf00ce', NULL, '127.0.0.1', 'node', '72625311-1628-4e56-ba85-f8513f8ac115', NULL, 1, '{"method": "email_password", "operation": "signUpEmail"}', 'MRfVMVpllTYmZDDwXJotYaGUU8bsmtN92XfOPBlkJK0', 'hpgVKtyl-u230le50aodE9y3_QpK5qatB3fZe9vRsNY', '2027-02-22 18:50:53.419+00', 466);
INSERT INTO public.audit_record VALUES ('01a20ee5-886b-766d-9872-8b6b349d1c17', '2026-11-24 18:50:53.419+00', 'session.opened', 'success', NULL, 'user', '01a20ee5-8857-756b-b3ae-49396ab054e2', 'user', '01a20ee5-8857-756b-b3ae-49396ab054e2', NULL, '01a20ee5-886b-766d-9872-8b677ebf00ce', NULL, '127.0.0.1', 'node', '72625311-1628-4e56-ba85-f8513f8ac115', NULL, 1, '{"method": "email_password", "operation": "signUpEmail"}', 'BrLW373kTt-IiEufYOiDp-F8umHZqDgKJEanHHegIbM', 'xOOhpgNjG3x6JDhioyIYC8P1JVb6V7eAkMDqgJrepig', '2027-02-22 18:50:53.419+00', 468);
INSERT INTO public.audit_record VALUES ('01a20ee5-8911-7267-8838-ded4d5db8d45', '2026-11-24 18:50:53.585+00', 'user.email_verified', 'success', NULL, 'visitor', NULL, 'user', '01a20ee5-8857-756b-b3ae-49396ab054e2', NULL, NULL, NULL, '127.0.0.1', 'node', '8e1d8a51-afbb-49cd-9fd9-a915d7a8adbd', NULL, 1, '{"method": "email_verification", "operation": "verifyEmail"}', 'QicqXBUhYz6mRwhNFIwdUZo2uIkdfZcTJ82jogqSFps', 'rZufmWVCbspMbe89qBhFgsytecl_00z7gc94dsZ6AM0', '2027-11-24 18:50:53.585+00', 479);
INSERT INTO public.audit_record VALUES ('01a20ee5-8911-7267-8838-ded5ccb70f13', '2026-11-24 18:50:53.585+00', 'credential.removed', 'success', NULL, 'visitor', NULL, 'user', '01a20ee5-8857-756b-b3ae-49396ab054e2', NULL, NULL, NULL, '127.0.0.1', 'node', '8e1d8a51-afbb-49cd-9fd9-a915d7a8adbd', NULL, 1, '{"id": "01a20ee5-8857-756b-b3ae-493ae9c58aed", "kind": "credential", "method": "email_verification", "operation": "verifyEmail"}', '2oJhdYxRyo2BjHbi-cY0G0V7ZjkHHX9HEQNVEr22bgs', 'K-KZhhsFiv-Fh37KHRTgBOONQxtn88jJZrOobOUHyJc', '2027-11-24 18:50:53.585+00', 481);
INSERT INTO public.audit_record VALUES ('01a20ee5-8959-74f4-a640-269a579d1b6a', '2026-11-24 18:50:53.657+00', 'invitation.created', 'success', NULL, 'user', '01a20ee5-8767-764c-8900-6a29f8010c6a', 'organization', '01a20ee5-8840-77fb-ba4e-0468a99726d7', '01a20ee5-8840-77fb-ba4e-0468a99726d7', '01a20ee5-8768-72ba-a73d-398e21d1c2da', NULL, '127.0.0.1', 'node', '4e895162-6345-4787-ae6c-328854279298', NULL, 1, '{"role": "member", "method": "organization", "operation": "organizationInvite", "invitation": "01a20ee5-8927-75eb-b33d-6187cffd0038"}', '15BW3ZFqu7UMQjrLaoQOHij1QqWwtfkGwrKTp-z_0JU', '0Htq-iB8o8YL-rmtdbJ4xyDAgOI3R9mVlfJFVR5_PrA', '2027-11-24 18:50:53.657+00', 488);
INSERT INTO public.audit_record VALUES ('01a20ee5-898b-778f-b2f4-29f200f60c8f', '2026-11-24 18:50:53.707+00', 'invitation.created', 'success', NULL, 'user', '01a20ee5-8767-764c-8900-6a29f8010c6a', 'organization', '01a20ee5-8840-77fb-ba4e-0468a99726d7', '01a20ee5-8840-77fb-ba4e-0468a99726d7', '01a20ee5-8768-72ba-a73d-398e21d1c2da', NULL, '127.0.0.1', 'node', '25ab3024-6211-4f18-8486-8c1c99ec6812', NULL, 1, '{"role": "member", "method": "organization", "operation": "organizationInvite", "invitation": "01a20ee5-897d-723e-acd4-ddd9eb1d2870"}', '17oT4YTjjSO_CCerTxP98DsOelanIXvqt3hKcCy1-nE', 'LIrDSOb6Camyc8go6iJJ-bqUiNC06gzsnVcvJdMO8N8', '2027-11-24 18:50:53.707+00', 495);
INSERT INTO public.audit_record VALUES ('01a20ee5-89aa-73ac-857c-c6892fb5e908', '2026-11-24 18:50:53.738+00', 'user.created', 'success', NULL, 'visitor', NULL, 'user', '01a20ee5-89a7-7199-a2d2-13396994b93b', NULL, NULL, NULL, '127.0.0.1', 'node', '559641a0-c0bf-467e-912f-1aa857985fb6', NULL, 1, '{"method": "email_password", "operation": "signUpEmail"}', '8ORMVkdHuvnLZzXZufkzSz14CAgZwMq7LK_HUVSOxDE', 'bHlMykeG5GZp6Wb_7tOXbe9uSLmrJ4FnXbXPglY0njg', '2027-11-24 18:50:53.738+00', 502);
INSERT INTO public.audit_record VALUES ('01a20ee5-89aa-73ac-857c-c68afe2b8a54', '2026-11-24 18:50:53.738+00', 'credential.added', 'success', NULL, 'visitor', NULL, 'user', '01a20ee5-89a7-7199-a2d2-13396994b93b', NULL, NULL, NULL, '127.0.0.1', 'node', '559641a0-c0bf-467e-912f-1aa857985fb6', NULL, 1, '{"id": "01a20ee5-89a7-7199-a2d2-133a468103e1", "kind": "credential", "method": "email_password", "operation": "signUpEmail"}', '0il78uPClzCaz-oU1VLbqQs0cZITv7PT9FJrlobpK00', 'RtQEA906N9BBtzwZIYeVgYDGFql6o5MYtSoFyNsDFuc', '2027-11-24 18:50:53.738+00', 504);
INSERT INTO public.audit_record VALUES ('01a20ee5-89aa-73ac-857c-c68b007e8855', '2026-11-24 18:50:53.738+00', 'sign_in.succeeded', 'success', NULL, 'user', '01a20ee5-89a7-7199-a2d2-13396994b93b', 'user', '01a20ee5-89a7-7199-a2d2-13396994b93b', NULL, '01a20ee5-89aa-73ac-857c-c6883da49ab3', NULL, '127.0.0.1', 'node', '559641a0-c0bf-467e-912f-1aa857985fb6', NULL, 1, '{"method": "email_password", "operation": "signUpEmail"}', 'YHTahn84ngS6zYtK883I2ZHpSNQudylvlG0F4C2OtGQ', 'xZY0mQ4lj_jJqHcs6oxs1Gvs8dMHzh5uK8AgxOPCmy8', '2027-02-22 18:50:53.738+00', 506);
INSERT INTO public.audit_record VALUES ('01a20ee5-89aa-73ac-857c-c68c3f71d316', '2026-11-24 18:50:53.738+00', 'session.opened', 'success', NULL, 'user', '01a20ee5-89a7-7199-a2d2-13396994b93b', 'user', '01a20ee5-89a7-7199-a2d2-13396994b93b', NULL, '01a20ee5-89aa-73ac-857c-c6883da49ab3', NULL, '127.0.0.1', 'node', '559641a0-c0bf-467e-912f-1aa857985fb6', NULL, 1, '{"method": "email_password", "operation": "signUpEmail"}', 'i3NW7WGAE9bS77J-sShnIpChSHJSn8_YrIGhr2DXjzM', 'ToQQ6jZSvcEnerWRayltctOWXLyCIi5LDycPSIxVF94', '2027-02-22 18:50:53.738+00', 508);
INSERT INTO public.audit_record VALUES ('01a20ee5-8a51-752c-8a21-2cfd9d97001c', '2026-11-24 18:50:53.905+00', 'user.email_verified', 'success', NULL, 'visitor', NULL, 'user', '01a20ee5-89a7-7199-a2d2-13396994b93b', NULL, NULL, NULL, '127.0.0.1', 'node', '96cff3ff-6473-4d34-aeb6-80821ae1b33d', NULL, 1, '{"method": "email_verification", "operation": "verifyEmail"}', 'q9rG9ySN3xA0vI0u-Fl9-w00lunoX4OT2ntVwj-Gt8I', 'oX8PM55oa7JRx8zrfLcT-iIh0OQHEBlN5020Hy1Aww4', '2027-11-24 18:50:53.905+00', 520);
INSERT INTO public.audit_record VALUES ('01a20ee5-8a51-752c-8a21-2cfeb59cb0c4', '2026-11-24 18:50:53.905+00', 'credential.removed', 'success', NULL, 'visitor', NULL, 'user', '01a20ee5-89a7-7199-a2d2-13396994b93b', NULL, NULL, NULL, '127.0.0.1', 'node', '96cff3ff-6473-4d34-aeb6-80821ae1b33d', NULL, 1, '{"id": "01a20ee5-89a7-7199-a2d2-133a468103e1", "kind": "credential", "method": "email_verification", "operation": "verifyEmail"}', 'aIzbThLuIdCz4_usCY0vWKhrkxKFbsRdAsxeAVrRnEk', 'ynpnCuAk-kvbzMeN1nIum2V4sh9iHnItZm6rJ7nWZho', '2027-11-24 18:50:53.905+00', 522);
INSERT INTO public.audit_record VALUES ('01a20ee5-8a83-70f8-a0f4-3baec677085e', '2026-11-24 18:50:53.955+00', 'invitation.created', 'success', NULL, 'user', '01a20ee5-8767-764c-8900-6a29f8010c6a', 'organization', '01a20ee5-8840-77fb-ba4e-0468a99726d7', '01a20ee5-8840-77fb-ba4e-0468a99726d7', '01a20ee5-8768-72ba-a73d-398e21d1c2da', NULL, '127.0.0.1', 'node', 'e614810a-06a9-498a-9e44-38b4989a1d26', NULL, 1, '{"role": "admin", "method": "organization", "operation": "organizationInvite", "invitation": "01a20ee5-8a6a-72c6-98b8-a1add95b7755"}', 'FKV-HvVpUuplNhjfVXtYfb3y3W9-Y2xGKrdiAvH7_pY', 'YA05-Hp9Gn2N9Yhl6QNlo_1JvWIsbZfgdJhzq3r9Ma0', '2027-11-24 18:50:53.955+00', 529);
INSERT INTO public.audit_record VALUES ('01a20ee5-8ac4-717f-a721-da4e472cb837', '2026-11-24 18:50:54.02+00', 'invitation.accepted', 'success', NULL, 'user', '01a20ee5-89a7-7199-a2d2-13396994b93b', 'organization', '01a20ee5-8840-77fb-ba4e-0468a99726d7', '01a20ee5-8840-77fb-ba4e-0468a99726d7', '01a20ee5-89aa-73ac-857c-c6883da49ab3', NULL, '127.0.0.1', 'node', '95e197c0-b53e-4d72-8b5d-a81911c64127', NULL, 1, '{"role": "admin", "method": "organization", "operation": "organizationAcceptInvitation", "invitation": "01a20ee5-8a6a-72c6-98b8-a1add95b7755"}', '4EAKtb90yeuv8KmOzUkVS3bTs-IROXpTYQteeb626Xg', 'vCv3Ka1ycpqQdBYWz2kNC1usPOF1oLMDQJ5gvUcAsTM', '2027-11-24 18:50:54.02+00', 538);
INSERT INTO public.audit_record VALUES ('01a20ee5-8ac4-717f-a721-da4fdbc30142', '2026-11-24 18:50:54.02+00', 'organization.member_added', 'success', NULL, 'user', '01a20ee5-89a7-7199-a2d2-13396994b93b', 'user', '01a20ee5-89a7-7199-a2d2-13396994b93b', '01a20ee5-8840-77fb-ba4e-0468a99726d7', '01a20ee5-89aa-73ac-857c-c6883da49ab3', NULL, '127.0.0.1', 'node', '95e197c0-b53e-4d72-8b5d-a81911c64127', NULL, 1, '{"role": "admin", "method": "organization", "operation": "organizationAcceptInvitation"}', 'DKw3-Luo9YiEmmL3LvkKZ-eh0Bf96P2osHRZoAwVp6Y', 'sub4H-KHGDdM8WBaEf5PMix5aMlS9VnUuJOhD_lN2c0', '2027-11-24 18:50:54.02+00', 540);
INSERT INTO public.audit_record VALUES ('01a20ee5-8add-7698-bbc8-48acdbcd0e01', '2026-11-24 18:50:54.045+00', 'team.created', 'success', NULL, 'user', '01a20ee5-8767-764c-8900-6a29f8010c6a', 'organization', '01a20ee5-8840-77fb-ba4e-0468a99726d7', '01a20ee5-8840-77fb-ba4e-0468a99726d7', '01a20ee5-8768-72ba-a73d-398e21d1c2da', NULL, '127.0.0.1', 'node', 'c803dfb6-2910-4bed-a1af-65085b91f6d7', NULL, 1, '{"team": "01a20ee5-8adc-700b-8bbf-a89d484b6c44", "method": "organization", "operation": "organizationCreateTeam"}', 'TVILQfQS0q1qtQgXBjC8CgN3NjivFOT_WTb7E3dMPpE', 'ycdAU02pGjkdkjWKbjulAgVRPJfcDdfLRPMWun-tNVM', '2027-11-24 18:50:54.045+00', 547);
INSERT INTO public.audit_record VALUES ('01a20ee5-8b05-70a1-b359-9b79ca8e715f', '2026-11-24 18:50:54.085+00', 'team.member_added', 'success', NULL, 'user', '01a20ee5-8767-764c-8900-6a29f8010c6a', 'user', '01a20ee5-89a7-7199-a2d2-13396994b93b', NULL, '01a20ee5-8768-72ba-a73d-398e21d1c2da', NULL, '127.0.0.1', 'node', '1357d805-4dbc-4b22-9077-84538234b297', NULL, 1, '{"team": "01a20ee5-8adc-700b-8bbf-a89d484b6c44", "method": "organization", "operation": "organizationAddTeamMember"}', '0rrIpE9O4hRYFQT7gLZwf_JKVFzMfZxVVd7IxPjYzCY', 'k6r4DYQ2yNxqmwSPStKCOhsSU7hw7REnIx4370IW09Y', '2027-11-24 18:50:54.085+00', 551);
INSERT INTO public.audit_record VALUES ('01a20ee5-8b24-773f-9fb8-e93603897019', '2026-11-24 18:50:54.116+00', 'user.created', 'success', NULL, 'visitor', NULL, 'user', '01a20ee5-8b1f-755e-8ca2-e096289cbc6e', NULL, NULL, NULL, '127.0.0.1', 'node', 'bb9b3cc6-5fac-4fb6-a201-fb86dcdd621d', NULL, 1, '{"method": "email_password", "operation": "signUpEmail"}', 'IhHFDM9AG3QO9mSmW8UiWUO2ZjYv5GpKtrImA2lJWgQ', 'moHAssMMJ4g3f3wDVpZ8VJZlT98dPucaO4EFpz97sYg', '2027-11-24 18:50:54.116+00', 557);
INSERT INTO public.audit_record VALUES ('01a20ee5-8b24-773f-9fb8-e937fd7e57b3', '2026-11-24 18:50:54.116+00', 'credential.added', 'success', NULL, 'visitor', NULL, 'user', '01a20ee5-8b1f-755e-8ca2-e096289cbc6e', NULL, NULL, NULL, '127.0.0.1', 'node', 'bb9b3cc6-5fac-4fb6-a201-fb86dcdd621d', NULL, 1, '{"id": "01a20ee5-8b1f-755e-8ca2-e0970fc30ed0", "kind": "credential", "method": "email_password", "operation": "signUpEmail"}', 'whXz79xNPYTXUX4OOFtbuu4QY_683ZeTIDvZ5JquCpg', 'rJgbHea2Oq_cV6htypGIgO51hlPWhXnUOZgJLz_RMM0', '2027-11-24 18:50:54.116+00', 559);
INSERT INTO public.audit_record VALUES ('01a20ee5-8b24-773f-9fb8-e938324f02e7', '2026-11-24 18:50:54.116+00', 'sign_in.succeeded', 'success', NULL, 'user', '01a20ee5-8b1f-755e-8ca2-e096289cbc6e', 'user', '01a20ee5-8b1f-755e-8ca2-e096289cbc6e', NULL, '01a20ee5-8b24-773f-9fb8-e935a54c5d2a', NULL, '127.0.0.1', 'node', 'bb9b3cc6-5fac-4fb6-a201-fb86dcdd621d', NULL, 1, '{"method": "email_password", "operation": "signUpEmail"}', 'oqLjDVH39qOuHJPRKSRrmZy5_5KxtQD7lhOPVDmugPI', 'j4g-qNfKeA3OxqD_XvRvYgwMgGpumBHtCHBfFwi_oi0', '2027-02-22 18:50:54.116+00', 561);
INSERT INTO public.audit_record VALUES ('01a20ee5-8b24-773f-9fb8-e939a4a363d9', '2026-11-24 18:50:54.116+00', 'session.opened', 'success', NULL, 'user', '01a20ee5-8b1f-755e-8ca2-e096289cbc6e', 'user', '01a20ee5-8b1f-755e-8ca2-e096289cbc6e', NULL, '01a20ee5-8b24-773f-9fb8-e935a54c5d2a', NULL, '127.0.0.1', 'node', 'bb9b3cc6-5fac-4fb6-a201-fb86dcdd621d', NULL, 1, '{"method": "email_password", "operation": "signUpEmail"}', 'SEH8V8ogWwUrDEQomdCkGGRXb3ohg_8-X7jw5g7Qe7E', 'fe0xZHktTs176psX43Fjsja6U0-wGBdFlI1XWPC79eY', '2027-02-22 18:50:54.116+00', 563);
INSERT INTO public.audit_record VALUES ('01a20ee5-8be5-7194-90d8-f6d35dc64fd4', '2026-11-24 18:50:54.309+00', 'user.email_verified', 'success', NULL, 'visitor', NULL, 'user', '01a20ee5-8b1f-755e-8ca2-e096289cbc6e', NULL, NULL, NULL, '127.0.0.1', 'node', '0a1950cc-2d19-47d7-8ce8-bc5fc61e5505', NULL, 1, '{"method": "email_verification", "operation": "verifyEmail"}', '7cr3lGab7qlUk9nYHpPYq04Np-kPbZxmtz0w7UJbwMM', 'UeIZVVNNNBj7gP1WSormgglz6E23UhgLrH3Twk9eR7s', '2027-11-24 18:50:54.309+00', 575);
INSERT INTO public.audit_record VALUES ('01a20ee5-8be5-7194-90d8-f6d44272f4df', '2026-11-24 18:50:54.309+00', 'session.revoked', 'success', NULL, 'visitor', NULL, 'user', '01a20ee5-8b1f-755e-8ca2-e096289cbc6e', NULL, '01a20ee5-8b24-773f-9fb8-e935a54c5d2a', NULL, '127.0.0.1', 'node', '0a1950cc-2d19-47d7-8ce8-bc5fc61e5505', NULL, 1, '{"method": "email_verification", "operation": "verifyEmail"}', 'pPW9bm1yNKcCVY9CG3gW6LNijZW1bFITXf267BwHkzs', 'n0ticTV-Mk3HCcqmjA6X7-sbIGIGzETcLVjH00IwA6U', '2027-02-22 18:50:54.309+00', 577);
INSERT INTO public.audit_record VALUES ('01a20ee5-8be5-7194-90d8-f6d591885590', '2026-11-24 18:50:54.309+00', 'credential.removed', 'success', NULL, 'visitor', NULL, 'user', '01a20ee5-8b1f-755e-8ca2-e096289cbc6e', NULL, NULL, NULL, '127.0.0.1', 'node', '0a1950cc-2d19-47d7-8ce8-bc5fc61e5505', NULL, 1, '{"id": "01a20ee5-8b1f-755e-8ca2-e0970fc30ed0", "kind": "credential", "method": "email_verification", "operation": "verifyEmail"}', 'UPXuewO0j8_ZfDHGDCx4-2dEDeoJjBT9ak5O_IqWBfo', 'guSG2yjA0w-l9KIFjZKnDamhzf1M1rzovXfVNzEv1vA', '2027-11-24 18:50:54.309+00', 579);
INSERT INTO public.audit_record VALUES ('01a20ee5-8bfe-72bb-8abe-4e9f237a7502', '2026-11-24 18:50:54.334+00', 'recovery.requested', 'success', NULL, 'visitor', NULL, 'user', '01a20ee5-8b1f-755e-8ca2-e096289cbc6e', NULL, NULL, NULL, '127.0.0.1', 'node', 'c8142b39-d5b8-421d-b1d3-f317ae7d2357', NULL, 1, '{"method": "email_password", "channel": "email", "operation": "requestPasswordReset"}', '-RnZZyLxFieaokpYAPcwqPTTFu0gX6w5Jy1cDTIA5uU', 'HUDJhbbUOcWjL9St763w4wvQG3fPZfDyd72ruM3QiBY', '2027-02-22 18:50:54.334+00', 587);
INSERT INTO public.audit_record VALUES ('01a20ee5-8cb4-72c4-9bc9-9dc73b147586', '2026-11-24 18:50:54.516+00', 'credential.added', 'success', NULL, 'visitor', NULL, 'user', '01a20ee5-8b1f-755e-8ca2-e096289cbc6e', NULL, NULL, NULL, '127.0.0.1', 'node', 'c9964554-ff07-4bc3-ad26-415876522031', NULL, 1, '{"id": "01a20ee5-8c99-7275-ab97-4b49a9717582", "kind": "credential", "method": "email_password", "operation": "resetPassword"}', '0VnWLqagEwxPkcQB2QjYPX9fs7Iti3zxAaFTsms4R-g', 'ycwGUFMXfKIRurGuFs_GdeQtsifwWXIk2r4TSlZzyZc', '2027-11-24 18:50:54.516+00', 594);
INSERT INTO public.audit_record VALUES ('01a20ee5-8cb4-72c4-9bc9-9dc808da2446', '2026-11-24 18:50:54.516+00', 'recovery.completed', 'success', NULL, 'visitor', NULL, 'user', '01a20ee5-8b1f-755e-8ca2-e096289cbc6e', NULL, NULL, NULL, '127.0.0.1', 'node', 'c9964554-ff07-4bc3-ad26-415876522031', NULL, 1, '{"method": "email_password", "operation": "resetPassword"}', 'oWexq2cIrgZpBQvZg74D6TYCnqoK5tdQSoMd_qgaXNc', 'GSUiMC5TlnebOc3Tvwq52GxBWYl4AABEwms3w_0P8dE', '2027-11-24 18:50:54.516+00', 596);
INSERT INTO public.audit_record VALUES ('01a20ee5-8cd7-7377-b548-aa65e63d6a6a', '2026-11-24 18:50:54.551+00', 'sign_in.succeeded', 'success', NULL, 'user', '01a20ee5-8b1f-755e-8ca2-e096289cbc6e', 'user', '01a20ee5-8b1f-755e-8ca2-e096289cbc6e', NULL, '01a20ee5-8cd7-7377-b548-aa6499843a1f', NULL, '127.0.0.1', 'node', '83559f1c-3ae3-48d7-87e4-2e76b3311dbc', NULL, 1, '{"method": "email_password", "operation": "signInEmail"}', '8VPjmB4Dn4v4GfwyyPR-aHVirGgpYsebd81X0MoYEQY', 'PJ27Rhj8Hqpx6v6diZ34tnTLvbxrlj0nums5FFJgCB4', '2027-02-22 18:50:54.551+00', 602);
INSERT INTO public.audit_record VALUES ('01a20ee5-8cd7-7377-b548-aa6661ad52f1', '2026-11-24 18:50:54.551+00', 'session.opened', 'success', NULL, 'user', '01a20ee5-8b1f-755e-8ca2-e096289cbc6e', 'user', '01a20ee5-8b1f-755e-8ca2-e096289cbc6e', NULL, '01a20ee5-8cd7-7377-b548-aa6499843a1f', NULL, '127.0.0.1', 'node', '83559f1c-3ae3-48d7-87e4-2e76b3311dbc', NULL, 1, '{"method": "email_password", "operation": "signInEmail"}', 'U2ECywPEMs_9CO0tAroM4jkw7WPiW8u-04UkMi34b6w', 'QtO5LL8voEGSaRGcy67jONb5ryxQNwSLBhLkxA3PKXA', '2027-02-22 18:50:54.551+00', 604);
INSERT INTO public.audit_record VALUES ('01a20ee5-8cf8-72c0-afb0-193c2ebb092a', '2026-11-24 18:50:54.584+00', 'user.created', 'success', NULL, 'visitor', NULL, 'user', '01a20ee5-8cf7-71e0-9a30-a0894411fca2', NULL, NULL, NULL, '127.0.0.1', 'node', '250c0ea8-699a-4f2a-9912-064e730eebad', NULL, 1, '{"method": "email_password", "operation": "signUpEmail"}', 'It2Yj9NrEwUASb-iKhx09AIigXrdnhz_1I1ireoFfOk', 't-86FG12r30Fbs8AOsJz9Gm3Uo3tUlg_PKHSLjijuh8', '2027-11-24 18:50:54.584+00', 611);
INSERT INTO public.audit_record VALUES ('01a20ee5-8cf8-72c0-afb0-193d00786893', '2026-11-24 18:50:54.584+00', 'credential.added', 'success', NULL, 'visitor', NULL, 'user', '01a20ee5-8cf7-71e0-9a30-a0894411fca2', NULL, NULL, NULL, '127.0.0.1', 'node', '250c0ea8-699a-4f2a-9912-064e730eebad', NULL, 1, '{"id": "01a20ee5-8cf7-71e0-9a30-a08a1c50bd8d", "kind": "credential", "method": "email_password", "operation": "signUpEmail"}', 'qdHz8b34PVgy0gd9WjLztlk2VXbILr0T_kOEqpNCmMM', 'fb96Ug_nth4pikUow_p9Ne5Y7KniuzH_niMumz2pfRk', '2027-11-24 18:50:54.584+00', 613);
INSERT INTO public.audit_record VALUES ('01a20ee5-8cf8-72c0-afb0-193eea487dde', '2026-11-24 18:50:54.584+00', 'sign_in.succeeded', 'success', NULL, 'user', '01a20ee5-8cf7-71e0-9a30-a0894411fca2', 'user', '01a20ee5-8cf7-71e0-9a30-a0894411fca2', NULL, '01a20ee5-8cf8-72c0-afb0-193be61527a1', NULL, '127.0.0.1', 'node', '250c0ea8-699a-4f2a-9912-064e730eebad', NULL, 1, '{"method": "email_password", "operation": "signUpEmail"}', '_5lcctdIU1DbtF7slzagx7FPUSJoHxiw5j_a9Rf_v5Q', 'afM6OWeWEojeEapuSM3NEYW0Q2892Dn3gtTzizWD8_o', '2027-02-22 18:50:54.584+00', 615);
INSERT INTO public.audit_record VALUES ('01a20ee5-8cf8-72c0-afb0-193fbfb9f456', '2026-11-24 18:50:54.584+00', 'session.opened', 'success', NULL, 'user', '01a20ee5-8cf7-71e0-9a30-a0894411fca2', 'user', '01a20ee5-8cf7-71e0-9a30-a0894411fca2', NULL, '01a20ee5-8cf8-72c0-afb0-193be61527a1', NULL, '127.0.0.1', 'node', '250c0ea8-699a-4f2a-9912-064e730eebad', NULL, 1, '{"method": "email_password", "operation": "signUpEmail"}', 'PEqMW-rHGme_10gEvCH2lx_9Hp_eOvASS8zHU_99X38', 'FmHtEHZh0C289RsHBsw-QuJIJwy-Az24CkilhYrQ04Q', '2027-02-22 18:50:54.584+00', 617);
INSERT INTO public.audit_record VALUES ('01a20ee5-8d24-75e8-a56d-0ed6c6b48b44', '2026-11-24 18:50:54.628+00', 'user.created', 'success', NULL, 'visitor', NULL, 'user', '01a20ee5-8d1b-7138-bc8b-42c824f2d6c6', NULL, NULL, NULL, '127.0.0.1', 'node', '09248e2e-5b3b-43aa-b1d9-e6c4f6ebd9f7', NULL, 1, '{"method": "email_password", "operation": "signUpEmail"}', '8pqdHeCLWyhwje3aifVZIaTYjgLhWC-qb_vheEvcLtM', 'JgEzRK8wt09fjDmLVITdsvLV0L6EgtAO0D9YVvUEeVI', '2027-11-24 18:50:54.628+00', 626);
INSERT INTO public.audit_record VALUES ('01a20ee5-8d24-75e8-a56d-0ed74ce96bcc', '2026-11-24 18:50:54.628+00', 'credential.added', 'success', NULL, 'visitor', NULL, 'user', '01a20ee5-8d1b-7138-bc8b-42c824f2d6c6', NULL, NULL, NULL, '127.0.0.1', 'node', '09248e2e-5b3b-43aa-b1d9-e6c4f6ebd9f7', NULL, 1, '{"id": "01a20ee5-8d1b-7138-bc8b-42c9af5dc357", "kind": "credential", "method": "email_password", "operation": "signUpEmail"}', '1FHsIJslRpP6rL3cDm2qSK0TFcSfFqAWOYZYvlQ_QHY', 'E2WzMqiwJjdMYIBfryW69fUo3JyftBwxTSxzRk4vGzo', '2027-11-24 18:50:54.628+00', 628);
INSERT INTO public.audit_record VALUES ('01a20ee5-8d24-75e8-a56d-0ed8d9f144fc', '2026-11-24 18:50:54.628+00', 'sign_in.succeeded', 'success', NULL, 'user', '01a20ee5-8d1b-7138-bc8b-42c824f2d6c6', 'user', '01a20ee5-8d1b-7138-bc8b-42c824f2d6c6', NULL, '01a20ee5-8d24-75e8-a56d-0ed5c8ee0bb0', NULL, '127.0.0.1', 'node', '09248e2e-5b3b-43aa-b1d9-e6c4f6ebd9f7', NULL, 1, '{"method": "email_password", "operation": "signUpEmail"}', '05q73E5fTmlWCzFV_D4HucNizstVuJbAA69pxj2KVhI', '_S3hF0l3cTB4_gXcwonqi8LW2f_Q2w2Pn-KCzMSbV3o', '2027-02-22 18:50:54.628+00', 630);
INSERT INTO public.audit_record VALUES ('01a20ee5-8d24-75e8-a56d-0ed912a7d058', '2026-11-24 18:50:54.628+00', 'session.opened', 'success', NULL, 'user', '01a20ee5-8d1b-7138-bc8b-42c824f2d6c6', 'user', '01a20ee5-8d1b-7138-bc8b-42c824f2d6c6', NULL, '01a20ee5-8d24-75e8-a56d-0ed5c8ee0bb0', NULL, '127.0.0.1', 'node', '09248e2e-5b3b-43aa-b1d9-e6c4f6ebd9f7', NULL, 1, '{"method": "email_password", "operation": "signUpEmail"}', 'UeRHRtcOxjlGC8kt9pBErQG3D2vkw2H8zNT5yrZQr50', '1ooYkzjMny64pnETNxZ8ndTOdpU9YvB4d2EB85nkOVY', '2027-02-22 18:50:54.628+00', 632);
INSERT INTO public.audit_record VALUES ('01a20ee5-8d67-71ec-8212-7309bba514ba', '2026-11-24 18:50:54.695+00', 'session.revoked', 'success', NULL, 'admin', '01a20ee5-8b1f-755e-8ca2-e096289cbc6e', 'user', '01a20ee5-8cf7-71e0-9a30-a0894411fca2', NULL, '01a20ee5-8cf8-72c0-afb0-193be61527a1', NULL, '127.0.0.1', 'node', 'ef987dfd-8aa3-44d9-9d3f-e73ddfd3e131', NULL, 1, '{"method": "admin", "operation": "adminBanUser"}', 'kD7_2wz-Eskkno1-nEpwLPVeDxjynxi-T8QVmJ4E8C4', 'xQ2bdfNWimsyRdjfeKADkeTBTFFfU4eYlprd-U1aEtE', '2027-02-22 18:50:54.695+00', 640);
INSERT INTO public.audit_record VALUES ('01a20ee5-8d67-71ec-8212-730a6ad8295e', '2026-11-24 18:50:54.695+00', 'user.banned', 'success', NULL, 'admin', '01a20ee5-8b1f-755e-8ca2-e096289cbc6e', 'user', '01a20ee5-8cf7-71e0-9a30-a0894411fca2', NULL, '01a20ee5-8cd7-7377-b548-aa6499843a1f', NULL, '127.0.0.1', 'node', 'ef987dfd-8aa3-44d9-9d3f-e73ddfd3e131', NULL, 1, '{"method": "admin", "operation": "adminBanUser"}', '0UkwKBWkYmwpBx4fvVwy6rTQkMhmRTShNrttdW3MCLo', 'C2pzakCPkfbu05CunnScA0E7io5_X4MiBjnqt4xKFhU', '2027-11-24 18:50:54.695+00', 642);
INSERT INTO public.audit_record VALUES ('01a20ee5-8d84-71af-8791-4b073d83ce23', '2026-11-24 18:50:54.724+00', 'user.created', 'success', NULL, 'visitor', NULL, 'user', '01a20ee5-8d7d-7111-ae1f-58e9a08b6a70', NULL, NULL, NULL, '127.0.0.1', 'node', '037d7a68-f545-4741-a04f-6ad31ccc2df0', NULL, 1, '{"method": "email_password", "operation": "signUpEmail"}', 'lz55qpfVfAeol8OctKfWwzIeD-lCo5S0hCP0xz6YLnw', 'lKWgABXWrJ2NT692Ib_z76_OKVAPQ7uM0QBYog09NAA', '2027-11-24 18:50:54.724+00', 649);
INSERT INTO public.audit_record VALUES ('01a20ee5-8d84-71af-8791-4b08c302f26c', '2026-11-24 18:50:54.724+00', 'credential.added', 'success', NULL, 'visitor', NULL, 'user', '01a20ee5-8d7d-7111-ae1f-58e9a08b6a70', NULL, NULL, NULL, '127.0.0.1', 'node', '037d7a68-f545-4741-a04f-6ad31ccc2df0', NULL, 1, '{"id": "01a20ee5-8d7d-7111-ae1f-58ea1152a096", "kind": "credential", "method": "email_password", "operation": "signUpEmail"}', 'H1tJa9473trYoDsLuE1oLFKHK0OAHUN_06KVp6yK5XU', 'ZwqiLJNzvabw49I-jwb8MLFykLwB7DGuaaVAd1rSj80', '2027-11-24 18:50:54.724+00', 651);
INSERT INTO public.audit_record VALUES ('01a20ee5-8d84-71af-8791-4b0917c2e2ae', '2026-11-24 18:50:54.724+00', 'sign_in.succeeded', 'success', NULL, 'user', '01a20ee5-8d7d-7111-ae1f-58e9a08b6a70', 'user', '01a20ee5-8d7d-7111-ae1f-58e9a08b6a70', NULL, '01a20ee5-8d84-71af-8791-4b0678dccda9', NULL, '127.0.0.1', 'node', '037d7a68-f545-4741-a04f-6ad31ccc2df0', NULL, 1, '{"method": "email_password", "operation": "signUpEmail"}', 'dyD-xsVHUgD2oFIP49PtQCXCPMT_Y_Qm5-uyE9HAlxY', 'UYx-XO0Y5_xGls9Lg1_C2DpkMwkDG6k-8ckwAdN4MRM', '2027-02-22 18:50:54.724+00', 653);
INSERT INTO public.audit_record VALUES ('01a20ee5-8d84-71af-8791-4b0af2d4c15a', '2026-11-24 18:50:54.724+00', 'session.opened', 'success', NULL, 'user', '01a20ee5-8d7d-7111-ae1f-58e9a08b6a70', 'user', '01a20ee5-8d7d-7111-ae1f-58e9a08b6a70', NULL, '01a20ee5-8d84-71af-8791-4b0678dccda9', NULL, '127.0.0.1', 'node', '037d7a68-f545-4741-a04f-6ad31ccc2df0', NULL, 1, '{"method": "email_password", "operation": "signUpEmail"}', 'atYhu7N-UUqqqVq6V8R9Kbl6Jhf_armqFr76wYO010A', 'NNjG2fWxDii-xOIOQj6r7LMgtP-8MpZemkYHdqIRKO0', '2027-02-22 18:50:54.724+00', 655);
INSERT INTO public.audit_record VALUES ('01a20ee5-8dad-7559-b4b4-d5db1e82a298', '2026-11-24 18:50:54.765+00', 'session.revoked', 'success', NULL, 'admin', '01a20ee5-8b1f-755e-8ca2-e096289cbc6e', 'user', '01a20ee5-8d7d-7111-ae1f-58e9a08b6a70', NULL, '01a20ee5-8d84-71af-8791-4b0678dccda9', NULL, '127.0.0.1', 'node', '6df7ee50-ec69-4d4c-8ae8-67f22b080f3f', NULL, 1, '{"method": "admin", "operation": "adminBanUser"}', '8pKNWpcWAfRME7-DW4emNt92cgm_cxOc9vVp9HZdWL0', 'gBBGtORIMTpWEAADEHcPHqE21kQUSiC4SejvfQqJyIE', '2027-02-22 18:50:54.765+00', 663);
INSERT INTO public.audit_record VALUES ('01a20ee5-8dad-7559-b4b4-d5dc5c9ab21d', '2026-11-24 18:50:54.765+00', 'user.banned', 'success', NULL, 'admin', '01a20ee5-8b1f-755e-8ca2-e096289cbc6e', 'user', '01a20ee5-8d7d-7111-ae1f-58e9a08b6a70', NULL, '01a20ee5-8cd7-7377-b548-aa6499843a1f', NULL, '127.0.0.1', 'node', '6df7ee50-ec69-4d4c-8ae8-67f22b080f3f', NULL, 1, '{"until": "2026-11-24T18:51:04.751Z", "method": "admin", "operation": "adminBanUser"}', 'BpMVXFw0tI8-UjMv5RguWojChAR-T1AX9zQ7s1TTPDw', '7QsAaKlfZyWhibm81QUwMtOPbnc76hnhrTD1_wdQ3G0', '2027-11-24 18:50:54.765+00', 665);
INSERT INTO public.audit_record VALUES ('01a20ee5-8dc5-7115-8a36-f9c52df22f05', '2026-11-24 18:50:54.789+00', 'user.role_changed', 'success', NULL, 'admin', '01a20ee5-8b1f-755e-8ca2-e096289cbc6e', 'user', '01a20ee5-8d1b-7138-bc8b-42c824f2d6c6', NULL, '01a20ee5-8cd7-7377-b548-aa6499843a1f', NULL, '127.0.0.1', 'node', 'c4df1901-7bda-4b99-92e7-bae3a5960001', NULL, 1, '{"new": "admin", "old": "user", "method": "admin", "operation": "adminSetRole"}', '1TrMSiDC-ujflL_Jo6dKqoiZX8iLfRnr0QDvMg4nm5U', 'j_sWEd785qYVQYUcvXDJO23xGK0zKGajYtOyqd_NiSY', '2027-11-24 18:50:54.789+00', 670);
INSERT INTO public.audit_record VALUES ('01a20ee5-8de4-7096-9867-057ba1a53822', '2026-11-24 18:50:54.82+00', 'user.created', 'success', NULL, 'admin', '01a20ee5-8b1f-755e-8ca2-e096289cbc6e', 'user', '01a20ee5-8de3-73ae-b328-9a5f730b5164', NULL, '01a20ee5-8cd7-7377-b548-aa6499843a1f', NULL, '127.0.0.1', 'node', '01962b29-6dce-4780-9f78-e060cb5d950c', NULL, 1, '{"method": "admin", "operation": "adminCreateUser"}', 'c98xcHlePKR1GqcsxE3Rda84atDeU8ngSfJKe-XFNqc', 'SQgcsBF0fWYBTVghFIqorqNTcbKwJHu1U-0GtL7Ck-4', '2027-11-24 18:50:54.82+00', 675);
INSERT INTO public.audit_record VALUES ('01a20ee5-8de4-7096-9867-057ca0e1e9f9', '2026-11-24 18:50:54.82+00', 'credential.added', 'success', NULL, 'admin', '01a20ee5-8b1f-755e-8ca2-e096289cbc6e', 'user', '01a20ee5-8de3-73ae-b328-9a5f730b5164', NULL, '01a20ee5-8cd7-7377-b548-aa6499843a1f', NULL, '127.0.0.1', 'node', '01962b29-6dce-4780-9f78-e060cb5d950c', NULL, 1, '{"id": "01a20ee5-8de3-73ae-b328-9a60ce475976", "kind": "credential", "method": "admin", "operation": "adminCreateUser"}', 'RSQ-7z4tlj5E6xxE5dUeKCrQwS8I2TLY-XCYWem99yc', '_H6JRVdZDdWCqQ99drsnUkNTY74NBD9egriHReKLTtM', '2027-11-24 18:50:54.82+00', 677);
INSERT INTO public.audit_record VALUES ('01a20ee5-8e0f-75b8-b4d2-2fb30665fee1', '2026-11-24 18:50:54.863+00', 'webhook.created', 'success', NULL, 'admin', '01a20ee5-8b1f-755e-8ca2-e096289cbc6e', 'webhook', '01a20ee5-8df5-7372-b32d-a115a53c14a0', NULL, '01a20ee5-8cd7-7377-b548-aa6499843a1f', NULL, '127.0.0.1', 'node', '7b16cb1f-7978-4ff7-8335-3a57f4d2b397', NULL, 1, '{"method": "events", "operation": "adminWebhooksCreate"}', 'V7ucIKzk1T8CtwZTOi0klvbj3MqvKd6SUXXhif0-DhY', 'Ho_COZk3LqQUK4QlT4lqIDlBpMHpFJ5x0G9mRRxVQ2U', '2027-11-24 18:50:54.863+00', 682);
INSERT INTO public.audit_record VALUES ('01a20ee5-8e3e-709b-9b9b-cee5b81d9ef7', '2026-11-24 18:50:54.91+00', 'user.created', 'success', NULL, 'visitor', NULL, 'user', '01a20ee5-8e34-77a6-8850-415598f280cb', NULL, NULL, NULL, '127.0.0.1', 'node', '8b5407e4-6c4f-455a-9e6c-5654527858dc', NULL, 1, '{"method": "email_password", "operation": "signUpEmail"}', '_NrjQKJQTYBJPFcPOwzk6wGUfL9lLLy7LwYifl2J92M', '-GUsndU3V8XqeDlhae1CRSalQwN26dki1E0l5CU4gTg', '2027-11-24 18:50:54.91+00', 688);
INSERT INTO public.audit_record VALUES ('01a20ee5-8e3e-709b-9b9b-cee669ea645b', '2026-11-24 18:50:54.91+00', 'credential.added', 'success', NULL, 'visitor', NULL, 'user', '01a20ee5-8e34-77a6-8850-415598f280cb', NULL, NULL, NULL, '127.0.0.1', 'node', '8b5407e4-6c4f-455a-9e6c-5654527858dc', NULL, 1, '{"id": "01a20ee5-8e34-77a6-8850-415664055f52", "kind": "credential", "method": "email_password", "operation": "signUpEmail"}', 'ELiKM1Fo4UzgNIgmrbdNWixJ5PqQK6XaH8XoQA5ao-I', 'I9WHA4RBe9NZttHaP5te6qAh0NtT9xwvpegdqySSlkI', '2027-11-24 18:50:54.91+00', 690);
INSERT INTO public.audit_record VALUES ('01a20ee5-8e3e-709b-9b9b-cee737e73dd0', '2026-11-24 18:50:54.91+00', 'sign_in.succeeded', 'success', NULL, 'user', '01a20ee5-8e34-77a6-8850-415598f280cb', 'user', '01a20ee5-8e34-77a6-8850-415598f280cb', NULL, '01a20ee5-8e3e-709b-9b9b-cee401b3b4c5', NULL, '127.0.0.1', 'node', '8b5407e4-6c4f-455a-9e6c-5654527858dc', NULL, 1, '{"method": "email_password", "operation": "signUpEmail"}', 'TwXYNXJCVcYKQwl-aVK2n5lC2w0X5Lj6L6DOT9xXuJU', 'RyJiwkes0bFq_Stf8jwnZlpWk_LYtRV1_L_lmlx7VyA', '2027-02-22 18:50:54.91+00', 692);
INSERT INTO public.audit_record VALUES ('01a20ee5-8e3e-709b-9b9b-cee87b5d2a58', '2026-11-24 18:50:54.91+00', 'session.opened', 'success', NULL, 'user', '01a20ee5-8e34-77a6-8850-415598f280cb', 'user', '01a20ee5-8e34-77a6-8850-415598f280cb', NULL, '01a20ee5-8e3e-709b-9b9b-cee401b3b4c5', NULL, '127.0.0.1', 'node', '8b5407e4-6c4f-455a-9e6c-5654527858dc', NULL, 1, '{"method": "email_password", "operation": "signUpEmail"}', '2liVz4Thd_MQ3mzWgyJtXzKGkIuFbh90O7p9A3SIKIU', 'alm2YrdQgEwyLmZVAWdhgdY4JSwB3l9HUxeU0Hu_IOc', '2027-02-22 18:50:54.91+00', 694);
INSERT INTO public.audit_record VALUES ('01a20ee5-8ef1-74fa-8f66-597b6f6e9d7f', '2026-11-24 18:50:55.089+00', 'user.email_verified', 'success', NULL, 'visitor', NULL, 'user', '01a20ee5-8e34-77a6-8850-415598f280cb', NULL, NULL, NULL, '127.0.0.1', 'node', '7e8b855c-bcac-4956-b9c4-f205e4bab4e1', NULL, 1, '{"method": "email_verification", "operation": "verifyEmail"}', 'Ga78TiLMkRNfi6PK_x5HSuuGUoim0CPIzVO7SkYhSbQ', '0M9h32hIAPwXhGK3uFo1mAFZ6v5NRwwwvfp_jbToZyo', '2027-11-24 18:50:55.089+00', 705);
INSERT INTO public.audit_record VALUES ('01a20ee5-8ef1-74fa-8f66-597cdf8f6af5', '2026-11-24 18:50:55.089+00', 'credential.removed', 'success', NULL, 'visitor', NULL, 'user', '01a20ee5-8e34-77a6-8850-415598f280cb', NULL, NULL, NULL, '127.0.0.1', 'node', '7e8b855c-bcac-4956-b9c4-f205e4bab4e1', NULL, 1, '{"id": "01a20ee5-8e34-77a6-8850-415664055f52", "kind": "credential", "method": "email_verification", "operation": "verifyEmail"}', 'J17NfkErTxKuRbEu1HnScTdvdf36Idl7g_juvS6TWvY', 'sADjroen87mfA2t2eQ8VjoY2tP0xxfEs4jBuFkigNao', '2027-11-24 18:50:55.089+00', 707);
INSERT INTO public.audit_record VALUES ('01a20ee5-90d9-7136-b7b3-e4a5ccdc12f4', '2026-11-24 18:50:55.577+00', 'secret.rotated', 'success', NULL, 'visitor', NULL, 'service', NULL, NULL, NULL, NULL, '127.0.0.1', 'node', 'c3b1bcd8-9007-411b-ac43-33ba638d5fd8', NULL, 1, '{"id": "W0eGB--QSzOB2t4gKtGmUtV7iGbD0nTeS6uHvSdY_VY", "kind": "signing_key", "method": "idp", "operation": "oauth2Token"}', 'L1mbw3LP5SWom-Vdn3r8vdTApjtpMbn2dp6SlV5hcus', 'p9Fv_0yYp0UBZfQw9i0pBZkaHRImOMnUHhklatEysGg', '2027-11-24 18:50:55.577+00', 716);
INSERT INTO public.audit_record VALUES ('01a20ee5-9269-7327-a636-5bb5a692d012', '2026-11-24 18:50:55.977+00', 'token.revoked', 'success', NULL, 'client', 'app', 'user', '01a20ee5-8e34-77a6-8850-415598f280cb', NULL, NULL, 'app', '127.0.0.1', 'node', '6f0680e4-4969-4497-8193-03bc6600d780', NULL, 1, '{"kind": "access_token", "method": "idp", "operation": "oauth2Revoke"}', 'kEJSglygoC0kxkPDLSiu-ag9qfCJIM4JHsPz4LmaAEA', 'u2mUSiw-oBZG1c9qQoKLXsPHCNPY6ccGPQnR5lxrDEA', '2027-02-22 18:50:55.977+00', 733);
INSERT INTO public.audit_record VALUES ('01a20ee5-92aa-769c-a66f-c3a3d1a8b5ce', '2026-11-24 18:50:56.042+00', 'sign_in.succeeded', 'success', NULL, 'user', '01a20ee5-8e34-77a6-8850-415598f280cb', 'user', '01a20ee5-8e34-77a6-8850-415598f280cb', NULL, '01a20ee5-92a9-7408-acec-e8f1759edbd4', NULL, '127.0.0.1', 'node', '21b71596-e946-4367-a410-c0a48e5dea38', NULL, 1, '{"method": "email_password", "operation": "signInEmail"}', 'WacX-1eqnJF19Z7YGZVGIqk_yLTC7ldb79K2DU_RbSA', 'S1BMBJiRw8h1-tLNUZKJpvnyKJ5ekcyBqHe1hYnY97M', '2027-02-22 18:50:56.042+00', 739);
INSERT INTO public.audit_record VALUES ('01a20ee5-92aa-769c-a66f-c3a4f95bf9cc', '2026-11-24 18:50:56.042+00', 'session.opened', 'success', NULL, 'user', '01a20ee5-8e34-77a6-8850-415598f280cb', 'user', '01a20ee5-8e34-77a6-8850-415598f280cb', NULL, '01a20ee5-92a9-7408-acec-e8f1759edbd4', NULL, '127.0.0.1', 'node', '21b71596-e946-4367-a410-c0a48e5dea38', NULL, 1, '{"method": "email_password", "operation": "signInEmail"}', 'K0Giuxc5mynyywoxI6a_OB7DOXQdlKtxqIpUojlDUYk', 'ceTJz0bDv0b4kUfH4zfUL7PqMJCb8wGCTQqMOu_YwCY', '2027-02-22 18:50:56.042+00', 741);
INSERT INTO public.audit_record VALUES ('01a20ee5-9322-7360-9389-cb70a75091a0', '2026-11-24 18:50:56.162+00', 'session.revoked', 'success', NULL, 'visitor', NULL, 'user', '01a20ee5-8e34-77a6-8850-415598f280cb', NULL, '01a20ee5-92a9-7408-acec-e8f1759edbd4', NULL, '127.0.0.1', 'node', '2060f70c-04d2-4a44-80bc-ea7bff0eecb5', NULL, 1, '{"method": "sessions", "operation": "signOut"}', 'mIitQxLCdld5qKbEU18qCgDQiihxm3veKClX5veUwOs', 'NWgOh3zgX08BDK_wXcty5rRf6e13fuauVxKFqfr2iBE', '2027-02-22 18:50:56.162+00', 748);
INSERT INTO public.audit_record VALUES ('01a20ee5-93c9-77b4-a741-a2d36e70557c', '2026-11-24 18:50:56.329+00', 'client.created', 'success', NULL, 'visitor', NULL, 'client', '01a20ee5-93c9-77b4-a741-a2d2692e0c5e', NULL, NULL, NULL, '127.0.0.1', 'node', '39e434a5-8139-44d2-b862-629002f26301', NULL, 1, '{"method": "idp", "operation": "oauth2Register"}', 'K4bmkTW1xmxqOw2Ufu6Y9hPTaOXbVqbzC_pmK8IbjH4', '7I-MdPxTvtVAPL9eztqvPwxnMm1n6QRnQSefdL5SM1g', '2027-11-24 18:50:56.329+00', 755);
INSERT INTO public.audit_record VALUES ('01a20ee5-93e4-7766-a925-fde1d4d234ed', '2026-11-24 18:50:56.356+00', 'sign_in.succeeded', 'success', NULL, 'user', '01a20ee5-8b1f-755e-8ca2-e096289cbc6e', 'user', '01a20ee5-8b1f-755e-8ca2-e096289cbc6e', NULL, '01a20ee5-93e4-7766-a925-fde06dca0733', NULL, '127.0.0.1', 'node', '1c7bddaa-e0a4-4f06-8a50-2432f3bd19ba', NULL, 1, '{"method": "email_password", "operation": "signInEmail"}', '6E45D4vCQGNngXaA2GWtOu2V4YuZAW9ForBsvpcc3Po', 'vJRFI48xhrg2H-u-eSMCe8n66Zmp861etY7uyB0IIVI', '2027-02-22 18:50:56.356+00', 759);
INSERT INTO public.audit_record VALUES ('01a20ee5-93e4-7766-a925-fde2dce5dbf1', '2026-11-24 18:50:56.356+00', 'session.opened', 'success', NULL, 'user', '01a20ee5-8b1f-755e-8ca2-e096289cbc6e', 'user', '01a20ee5-8b1f-755e-8ca2-e096289cbc6e', NULL, '01a20ee5-93e4-7766-a925-fde06dca0733', NULL, '127.0.0.1', 'node', '1c7bddaa-e0a4-4f06-8a50-2432f3bd19ba', NULL, 1, '{"method": "email_password", "operation": "signInEmail"}', 'hhSnR5-wE8Fpe025w1gFmwuTcKyyV_lfVxKvlfzjQXM', 'pCsEoQdwDdgW3qsN1a2XYWr5ia0zpmqVfpQk0aJFzqc', '2027-02-22 18:50:56.356+00', 761);
INSERT INTO public.audit_record VALUES ('01a20ee5-93fc-71aa-85ab-c2550a8c1131', '2026-11-24 18:50:56.38+00', 'client.created', 'success', NULL, 'admin', '01a20ee5-8b1f-755e-8ca2-e096289cbc6e', 'client', '01a20ee5-93fc-71aa-85ab-c254b20946bc', NULL, '01a20ee5-93e4-7766-a925-fde06dca0733', NULL, '127.0.0.1', 'node', '5deec124-b6bd-42b6-b8a7-c2b2c0841d63', NULL, 1, '{"method": "idp", "operation": "adminClientsCreate"}', 'KkgzygGP8EZFLGNTGeA3cT0m45MUsGcX7TQv_P4YEug', '922Kg7Af_zYVQ6_l9uy6XoxOUtJEoTD9UCSjKlObwu8', '2027-11-24 18:50:56.38+00', 766);
INSERT INTO public.audit_record VALUES ('01a20ee5-942e-772a-b6cb-b620b38a3c06', '2026-11-24 18:50:56.43+00', 'user.created', 'success', NULL, 'visitor', NULL, 'user', '01a20ee5-942d-772b-87cb-2f0bd3e6486a', NULL, NULL, NULL, '127.0.0.1', 'node', '660c132f-87ee-4208-ad67-497c1c312f38', NULL, 1, '{"method": "email_password", "operation": "signUpEmail"}', 'e_kIJVjkiXgh55M0JKiGHd0L0jfiJxf7-7RSbaSYj94', 'Jix-Ew5Fn5DmZmJw-5Wk5ljSZp1Mj13I3mbBj4ThhLw', '2027-11-24 18:50:56.43+00', 775);
INSERT INTO public.audit_record VALUES ('01a20ee5-942e-772a-b6cb-b6214ffaf0a3', '2026-11-24 18:50:56.43+00', 'credential.added', 'success', NULL, 'visitor', NULL, 'user', '01a20ee5-942d-772b-87cb-2f0bd3e6486a', NULL, NULL, NULL, '127.0.0.1', 'node', '660c132f-87ee-4208-ad67-497c1c312f38', NULL, 1, '{"id": "01a20ee5-942d-772b-87cb-2f0cfe0fe90e", "kind": "credential", "method": "email_password", "operation": "signUpEmail"}', 'SsgtnOSsPMiNrTw30XcS46IcszTZgv2I7kmF2izW1dY', '741NZZGOkeARF8aN--nySWXLcmGpurAlpgkJY4IYMXA', '2027-11-24 18:50:56.43+00', 777);
INSERT INTO public.audit_record VALUES ('01a20ee5-942e-772a-b6cb-b62291aa0442', '2026-11-24 18:50:56.43+00', 'sign_in.succeeded', 'success', NULL, 'user', '01a20ee5-942d-772b-87cb-2f0bd3e6486a', 'user', '01a20ee5-942d-772b-87cb-2f0bd3e6486a', NULL, '01a20ee5-942e-772a-b6cb-b61fe8401c87', NULL, '127.0.0.1', 'node', '660c132f-87ee-4208-ad67-497c1c312f38', NULL, 1, '{"method": "email_password", "operation": "signUpEmail"}', '2ntLj4ADRy3sjh_hjkMXhUeckcLTAPZtDspQ5wUNjnk', 'y4TgXnEtuz-KFqt7F7CY_bZS_ElTHwNNL2kwATfry04', '2027-02-22 18:50:56.43+00', 779);
INSERT INTO public.audit_record VALUES ('01a20ee5-942e-772a-b6cb-b623f56ea4f9', '2026-11-24 18:50:56.43+00', 'session.opened', 'success', NULL, 'user', '01a20ee5-942d-772b-87cb-2f0bd3e6486a', 'user', '01a20ee5-942d-772b-87cb-2f0bd3e6486a', NULL, '01a20ee5-942e-772a-b6cb-b61fe8401c87', NULL, '127.0.0.1', 'node', '660c132f-87ee-4208-ad67-497c1c312f38', NULL, 1, '{"method": "email_password", "operation": "signUpEmail"}', 'iU6UBZe3qixYBnsYD_YbEMxQT-o9rUi3WKCmoiF3v4E', 'rykMyJyytwS0MyYCKRJqBuBTlfBJ61leAFMvl4Co4SM', '2027-02-22 18:50:56.43+00', 781);
INSERT INTO public.audit_record VALUES ('01a20ee5-94bc-770e-83a7-3a6bcd0189b1', '2026-11-24 18:50:56.572+00', 'user.email_verified', 'success', NULL, 'visitor', NULL, 'user', '01a20ee5-942d-772b-87cb-2f0bd3e6486a', NULL, NULL, NULL, '127.0.0.1', 'node', '23dfde4e-c688-4782-8c20-219f889ba5bf', NULL, 1, '{"method": "email_verification", "operation": "verifyEmail"}', 'Lz3kNsP7KCVsIeIRXcUeyeDpBqO9acGCZubyXfDZeJ0', 'oW-L2OlC0wESQ80ugp_4Y-EfRYS_mw44_r8nwkHLdN8', '2027-11-24 18:50:56.572+00', 792);
INSERT INTO public.audit_record VALUES ('01a20ee5-94bc-770e-83a7-3a6c93217335', '2026-11-24 18:50:56.572+00', 'credential.removed', 'success', NULL, 'visitor', NULL, 'user', '01a20ee5-942d-772b-87cb-2f0bd3e6486a', NULL, NULL, NULL, '127.0.0.1', 'node', '23dfde4e-c688-4782-8c20-219f889ba5bf', NULL, 1, '{"id": "01a20ee5-942d-772b-87cb-2f0cfe0fe90e", "kind": "credential", "method": "email_verification", "operation": "verifyEmail"}', '23GdlT7SyL9I0FVJaSZ4mq6rnLzrvWcvKYhUM9uJcCY', '-DpgX7zga08CBKSYTlU7sBNUuzkSuub5l6m7sHqfRD4', '2027-11-24 18:50:56.572+00', 794);
INSERT INTO public.audit_record VALUES ('01a20ee5-954c-72e0-b443-3af340b07416', '2026-11-24 18:50:56.716+00', 'user.created', 'success', NULL, 'visitor', NULL, 'user', '01a20ee5-954a-733f-b75f-18ef0763dfd0', NULL, NULL, NULL, '127.0.0.1', 'node', 'e97aabce-604d-44fe-b290-6c5f5d1a93cc', NULL, 1, '{"method": "email_password", "operation": "signUpEmail"}', 'nfBh8kmgaWXHnnyDaAGc3vxzd0WcIQhAvGNbP3223Pw', '1Ju7K27MX4tIv7-eG928aE2VyOLA8MUajQzV3pDvuJM', '2027-11-24 18:50:56.716+00', 812);
INSERT INTO public.audit_record VALUES ('01a20ee5-954c-72e0-b443-3af4ddd64a49', '2026-11-24 18:50:56.716+00', 'credential.added', 'success', NULL, 'visitor', NULL, 'user', '01a20ee5-954a-733f-b75f-18ef0763dfd0', NULL, NULL, NULL, '127.0.0.1', 'node', 'e97aabce-604d-44fe-b290-6c5f5d1a93cc', NULL, 1, '{"id": "01a20ee5-954a-733f-b75f-18f019e4a372", "kind": "credential", "method": "email_password", "operation": "signUpEmail"}', 'oi35kETalkBzoX5yBX_naNJmP3qKQGCDkf3IkpeeZYg', 'dCXaMcMR085zU7ZORX_DN0wqrBF8LzYw0qo7drwYXWM', '2027-11-24 18:50:56.716+00', 814);
INSERT INTO public.audit_record VALUES ('01a20ee5-954c-72e0-b443-3af521d789b6', '2026-11-24 18:50:56.716+00', 'sign_in.succeeded', 'success', NULL, 'user', '01a20ee5-954a-733f-b75f-18ef0763dfd0', 'user', '01a20ee5-954a-733f-b75f-18ef0763dfd0', NULL, '01a20ee5-954b-7092-b6b7-44a296bde9eb', NULL, '127.0.0.1', 'node', 'e97aabce-604d-44fe-b290-6c5f5d1a93cc', NULL, 1, '{"method": "email_password", "operation": "signUpEmail"}', 'qN43r3SDGO7r52dpZIp-iuMfH6CuFdg6p1_eRmIFY1E', 'th0fCCiR1uaJnqwxDsxGB3qBSOAPnyS8T4n29T9upz8', '2027-02-22 18:50:56.716+00', 816);
INSERT INTO public.audit_record VALUES ('01a20ee5-954c-72e0-b443-3af6f6fb017e', '2026-11-24 18:50:56.716+00', 'session.opened', 'success', NULL, 'user', '01a20ee5-954a-733f-b75f-18ef0763dfd0', 'user', '01a20ee5-954a-733f-b75f-18ef0763dfd0', NULL, '01a20ee5-954b-7092-b6b7-44a296bde9eb', NULL, '127.0.0.1', 'node', 'e97aabce-604d-44fe-b290-6c5f5d1a93cc', NULL, 1, '{"method": "email_password", "operation": "signUpEmail"}', 'qEVQ_dVgtoTtseXjlLV1WtYm3rEeF9ORFoYpXSEiEsI', 'Mro33imGxUw66CTj1ZFeYhP3Ln8pxSJnD_bEJi1BOV8', '2027-02-22 18:50:56.716+00', 818);
INSERT INTO public.audit_record VALUES ('01a20ee5-9557-708f-b638-dbf139868859', '2026-11-24 18:50:56.727+00', 'sign_in.succeeded', 'success', NULL, 'user', '01a20ee5-8b1f-755e-8ca2-e096289cbc6e', 'user', '01a20ee5-8b1f-755e-8ca2-e096289cbc6e', NULL, '01a20ee5-9557-708f-b638-dbf01912a254', NULL, '127.0.0.1', 'node', 'd6684eb5-b354-45ef-9ce8-2926736eb368', NULL, 1, '{"method": "email_password", "operation": "signInEmail"}', 'fc8UgViGO26YX23xtWvL3OSuYl4_nTVodwLPE3XOIes', 'oarOONbRJrJFboinLW3DprWUWp6dl-m1NBhCwx7JEVY', '2027-02-22 18:50:56.727+00', 825);
INSERT INTO public.audit_record VALUES ('01a20ee5-9557-708f-b638-dbf27d810f4b', '2026-11-24 18:50:56.727+00', 'session.opened', 'success', NULL, 'user', '01a20ee5-8b1f-755e-8ca2-e096289cbc6e', 'user', '01a20ee5-8b1f-755e-8ca2-e096289cbc6e', NULL, '01a20ee5-9557-708f-b638-dbf01912a254', NULL, '127.0.0.1', 'node', 'd6684eb5-b354-45ef-9ce8-2926736eb368', NULL, 1, '{"method": "email_password", "operation": "signInEmail"}', 'FrDIWUSyIPOL6WH28GeAgyfzIIWViRNR-M45HkPt76s', 'F3pY3Lctz92PT1m_OJPNSIl2HhET1TW6wUF2LOh7RhA', '2027-02-22 18:50:56.727+00', 827);
INSERT INTO public.audit_record VALUES ('01a20ee5-9579-711f-a8a1-36d2d895ca78', '2026-11-24 18:50:56.761+00', 'session.revoked', 'success', NULL, 'admin', '01a20ee5-8b1f-755e-8ca2-e096289cbc6e', 'user', '01a20ee5-954a-733f-b75f-18ef0763dfd0', NULL, '01a20ee5-954b-7092-b6b7-44a296bde9eb', NULL, '127.0.0.1', 'node', 'eacfe191-159e-41c7-b8b7-f6ac9e4019b9', NULL, 1, '{"method": "admin", "operation": "adminBanUser"}', 'TRmqU_IonuBoOrY11ZRomgsHu_pEE7zZfxLY-STEvRU', 'UE04-c1emnDhePSF1A19MQfY5X1j2KtaxBkQ1sHQ2bk', '2027-02-22 18:50:56.761+00', 834);
INSERT INTO public.audit_record VALUES ('01a20ee5-9579-711f-a8a1-36d36c1d1d3e', '2026-11-24 18:50:56.761+00', 'user.banned', 'success', NULL, 'admin', '01a20ee5-8b1f-755e-8ca2-e096289cbc6e', 'user', '01a20ee5-954a-733f-b75f-18ef0763dfd0', NULL, '01a20ee5-9557-708f-b638-dbf01912a254', NULL, '127.0.0.1', 'node', 'eacfe191-159e-41c7-b8b7-f6ac9e4019b9', NULL, 1, '{"method": "admin", "operation": "adminBanUser"}', 'z5c0BsX5kV5jZ9CXfjICSu1b_9SBPJn8FZ4YNoupOBo', 'n-JEYsiEU7vdvJMVWWYLpRx6OFaIQH0KOglrYmZnStk', '2027-11-24 18:50:56.761+00', 836);


--
-- Data for Name: audit_seal; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.audit_seal VALUES ('000000000001', '2026-11-24', '2026-11-24 18:50:59.552+00', '[["01a20ee5-78cf-747d-a13c-aa642b692afc", "bRKKIvH_C5auDg6UU-bqNHm7Gyk-DwXwfWoBppS8UP0", 1827082249423], ["01a20ee5-78cf-747d-a13c-aa65e68ab843", "HyBq8hYWyNmWqsBYFJTbxIFEHuzchcmx06MkzLpwEQs", 1827082249423], ["01a20ee5-78cf-747d-a13c-aa6604c0b0b7", "bPIrkAC72njSsqnHHIknUDW3qAm_1gpWhVmYfRvb6tQ", 1803322249423], ["01a20ee5-78cf-747d-a13c-aa67647d8e87", "CJuReBHdPrWnX-kjZtJcL1fzJu-lXC4v3kM--FL4Zs4", 1803322249423], ["01a20ee5-79f1-7660-9604-88938e32dc51", "RWSVOdj7A4O5Gxo_XKDspAb6YB4mKpBCwTAJW1dQ_-A", 1827082249713], ["01a20ee5-79f1-7660-9604-889447db7c94", "k5CIGRxbwoXzwIKUw51Tvv_pnnqajXWDPeqEov-KQtU", 1827082249713], ["01a20ee5-7a26-75f1-9b9b-10591c7f5f45", "I-hpGEzG4cxdB9K3gTuV34xiVmT08lbf4SHtUahc2vU", 1827082249766], ["01a20ee5-7a27-7661-adf1-8027bbfafefd", "AAlyilN9HnXNvSegGfM9gd0OCBEimuvh1KOE5g_TRDE", 1827082249767], ["01a20ee5-7a27-7661-adf1-8028c1d9cb3f", "gF8H0ZNHAcjlU5ovQF-2uxshE_4LlQtmQ4i1_F1yH_Q", 1803322249767], ["01a20ee5-7a27-7661-adf1-80298f8ee3c9", "k9k3A6fJIZB7YbdIsg_lJMvA63jmPP4RSzx4FJAHaKo", 1803322249767], ["01a20ee5-7a40-7418-bf7c-1e72aac5586b", "qYVuOwovvKaA65QI8pKHWzZ4puXKzycM2ms7zq_b6_4", 1827082249792], ["01a20ee5-7a40-7418-bf7c-1e73a961175d", "C7sq4ZojG4CsUwimMk8GjWhrfISgH-dtPc1--v2SfSE", 1827082249792], ["01a20ee5-7a40-7418-bf7c-1e7468c580ad", "uPxReI7TcALu-GolVR-UGmueTtCXIOu5kfXyVaQefBc", 1803322249792], ["01a20ee5-7a40-7418-bf7c-1e757f651936", "EYA0zQBdWrJaBALbeIbf-z4qoA9gdHk1KG6d1skyNVg", 1803322249792], ["01a20ee5-7a51-7677-b094-ed1f1d4e9d55", "HcvHBYg8SYRD-70fPAL5wnYnxt710H4178OgnDx2Jnc", 1827082249809], ["01a20ee5-7a5e-7068-8c2b-d17d8a17817d", "yxpyEl0UXB2L3RWIbEXIW7z5Q6zHQYHg_7hopwcAsAo", 1803322249822], ["01a20ee5-7a5e-7068-8c2b-d17e1b48927e", "jL0q-TpvcwuRIsl5-L-cCLtYZh-dnNWtyDM9LPQoQQw", 1803322249822], ["01a20ee5-7a6e-77ba-8bde-157ee8f1d11e", "65AZdWNtkxfHCrwo5-Ie4qG8zo1qT-sersTaPuz_LA8", 1803322249838], ["01a20ee5-7b09-7549-a39e-8f1ab8d7717b", "uKwHGO4BpqWnJwsyFJ0RKJyWg19jj6dPcatPDd1chWI", 1827082249993], ["01a20ee5-7b09-7549-a39e-8f1bb1a0057c", "6ONnkbp0aBcKK0HD4aFY3A5O4FQqgje_69lPpkGxHV4", 1827082249993], ["01a20ee5-7b09-7549-a39e-8f1c80e9ad9a", "VhKH2DNGSISaXeG551rg8yGANp-2vYAGyd0Hn_LZ_HA", 1803322249993], ["01a20ee5-7b09-7549-a39e-8f1d0ca92ea6", "--V_tq5G-rs5SK1V6fp6XvHsx4usTXN2rL_BpdnYfkE", 1803322249993], ["01a20ee5-7b57-74e8-ae11-ddd170529e5b", "_eEly86hon3jue8XFFWIaGI8SgY2pgLoFwTihJ3aF74", 1827082250071], ["01a20ee5-7b8f-7435-9ea8-9780ac918cf5", "awHVO5EexrHwTD5ZxnyVxkxesKvlG0txy-_HgbejkIU", 1827082250127], ["01a20ee5-7b8f-7435-9ea8-97811b0c1d77", "jQNVszLDDeO_8g844tS1ti8g3sBOvgMldXEX65T_5VY", 1827082250127], ["01a20ee5-7b8f-7435-9ea8-97822a3331aa", "YMpKiga4O8t6h2FEVH00D0KBfWQsVmerfkHkmfzZbEw", 1803322250127], ["01a20ee5-7b8f-7435-9ea8-97836df4bdf7", "k12PoRQ2EH6as5scHW7dqcJ533Ni-xkcZ6ZIZztryJk", 1803322250127], ["01a20ee5-7ba4-7108-882a-49be30d3b04f", "4Pmeki5voVn02lFWazFiUPBiSHOk7jh6uirgn6mBDQA", 1827082250148], ["01a20ee5-7bba-7287-bdb0-59423c610f77", "T9fcdlDri_7I34n1ULfYZLTVJQ4kM-yH_FcJ5TZoh_o", 1827082250170], ["01a20ee5-7bba-7287-bdb0-594364596068", "SbzjBCtnl1AOENsg4XIXRcQwl8es9V37YaVpwphcGmc", 1827082250170], ["01a20ee5-7bba-7287-bdb0-5944e6e3075c", "SXWO91yKI4vcbbXFHFc_SvoDCIex3UMQjvek5QCdpnA", 1803322250170], ["01a20ee5-7bba-7287-bdb0-5945ba781963", "MfRdJaOMd5IiPFTTJbJFnO8I69nk_LzeivTCdTvq-bQ", 1803322250170], ["01a20ee5-7bce-7055-b915-53a573bee54e", "8pqZfs57iVCYCGube9Gz7rhbmOsV17tQXpKmH8HMCtk", 1827082250190], ["01a20ee5-7bce-7055-b915-53a69917fc53", "08YFub-6GqXoel4zaV5u7KzoZ1U5_ItZzWyfIlI4Xog", 1827082250190], ["01a20ee5-7bce-7055-b915-53a7505430c6", "2U-G-GJY1UjpMGE4b4JnjO2wvlo2Yg5Bn5cYIyY4nRk", 1803322250190], ["01a20ee5-7bce-7055-b915-53a81252636e", "TP6_BFGAbDOMXVVxXjY7JyvOnavZX3S26_psgB5kEwY", 1803322250190], ["01a20ee5-7be2-7155-9089-2353cc15ff71", "_vLZK1LNvrzRvAmxdoB4w2_--jSANU8Ewy-5WxkoUmE", 1803322250210], ["01a20ee5-7bef-750b-bfa4-cb3bf9e84a5a", "N63GjHlgf2K7SwLnQLNhYlLQ25nIE-aI67to4lFQn9E", 1827082250223], ["01a20ee5-7bef-750b-bfa4-cb3c9bafb34b", "S8WB_DHNN3kHAIlw8G-kTVAndYe6UL8V0O8uF3qbwJA", 1827082250223], ["01a20ee5-7bef-750b-bfa4-cb3dadfe8ac0", "XAMq_DDdJ1G-gj6HuvNslRz5AQRURn6H5KjdMdUuLr8", 1803322250223], ["01a20ee5-7bef-750b-bfa4-cb3eef10ea5b", "FCPO1omM2eov8OIVEdGswXdxo-XpItyjr4mgr_1mkOk", 1803322250223], ["01a20ee5-7c68-75d5-b9dd-3f4103758c2f", "BHiYU431_2tPlhKBHmfgDQ3eLu1OEVmYFC6HjLtk1n4", 1827082250344], ["01a20ee5-7c68-75d5-b9dd-3f4211f309dc", "9bpeedvODJ1WnOjz7ETiI5rXFk-9G5PBXUaxgWQXIus", 1827082250344], ["01a20ee5-7c75-7145-bbea-23622b55c39d", "z06GFcjwuoeoifufAsw8xx7g0AyI_Vdr-MNTwxc-M3o", 1827082250357], ["01a20ee5-7cad-731c-b056-e878795cdeab", "wiETGoMpUax185zal5MY3Vn-473KyJL2erjPcR9F8ww", 1827082250413], ["01a20ee5-7cad-731c-b056-e87994549f7b", "homyptw-2MJ8-Pmy2L2BYkmYljYPbQWm2j1iXcwTmO4", 1827082250413], ["01a20ee5-7cad-731c-b056-e87a30ca424e", "mk6jq0EBgPW9JEFLn8HPAROmYdmxEDvr392kyn2tUI4", 1803322250413], ["01a20ee5-7cad-731c-b056-e87b67c02b39", "WYxySiC2WnamnLD4_mrm_hxFCiEJxd2D4VWUK5tFI-A", 1803322250413], ["01a20ee5-7d32-73c3-9279-61c6f51f550c", "EZMvFBmrSVplUPo53R_5mHYgPOQOZwIVkbKSGeJxkbU", 1827082250546], ["01a20ee5-7d43-70a0-832e-63c317c9b108", "_EBYRH16crdPkij_o5StLhGAeZJjCZ1SBdmLkZ6WR1o", 1827082250563], ["01a20ee5-7d43-70a0-832e-63c4edce9806", "Zb0v6NaBBXpRDaWGZgbcDxBUimZklYA3Uam0xGgKuNU", 1827082250564], ["01a20ee5-7d44-771c-ae7c-cfe88c33551a", "3P7iLwgDVuhSjwI0K9Kfyni9hIpyEGT1rvZK6yKq6ik", 1803322250564], ["01a20ee5-7d44-771c-ae7c-cfe9e0435eba", "TthIyzO9VyaT-8r1hDerTqwTTFHvTgCB9n8WzIZ3sTY", 1803322250564], ["01a20ee5-7dba-75f9-89dd-d04078119c6c", "dIrH4anzhkB7uaBDAtnPjBazl0CJzJWhCi_wEOCHyzo", 1827082250682], ["01a20ee5-7dba-75f9-89dd-d041e6d278d0", "b4RyWFTT6mtjiZvPQGAI6ou0Sx47GcLGBdNeNU85ydg", 1827082250682], ["01a20ee5-7de5-722e-ba4b-160e13cb3c3d", "v7AeqBT_PrVqHB9Qx9YvJOSDLdmQqe_JA8uX9mxnXUk", 1827082250725], ["01a20ee5-7de5-722e-ba4b-160f0c344aa1", "z9TCgfpYfHvJwv40e77jberOrRTAcmvFM7sJb6Fr3r0", 1803322250725], ["01a20ee5-7e0d-7148-a181-b6a607905cde", "jJP5c-5q_d5jruwkd7CuDVoy3hdC_z8-aWrZaq8g-qA", 1803322250765], ["01a20ee5-7e1c-74e9-b679-1bac4cfe05af", "enN9hMzBxqP-rscQiJRKp2FeDdUxpY7qlNLltCwokM4", 1803322250780], ["01a20ee5-7e1c-74e9-b679-1badef280355", "NHyKpgc23R2lzeu-aA8CO8ba75VO3EVrdE79k2kE7MQ", 1803322250780], ["01a20ee5-7e23-7240-a5ad-21243150956c", "_Dr2EloIbyQAS5TuWqpH2W_a0JhIKdUW2w79rzKIY48", 1827082250787], ["01a20ee5-7e23-7240-a5ad-2125e9675f22", "xBG4JChN-60BU1UZ1Dj-9S2bw1wLyZ41TDgrh5Dy2Fo", 1827082250787], ["01a20ee5-7e23-7240-a5ad-212647ca644d", "Yau2rcQddPqS58lmkaT3vHhYljplYLZe_8bTeLgpXZo", 1803322250787], ["01a20ee5-7e23-7240-a5ad-2127d5c65fc4", "M30P1Z-oQBHzB3GGP_W7-6vvOnxOssMbTJBiJ45yo_U", 1803322250787], ["01a20ee5-7e97-73a1-ab52-1c5202974b23", "biu_Rg5Jgz5toUgc4JsJTrFV0aSaeM_mGqeuXqL2j_Y", 1827082250903], ["01a20ee5-7e97-73a1-ab52-1c532236daf6", "Fd4PJ4FSAQxCCw6VQQ-kw7vu7MK8rJPQS_ALHW8a5rQ", 1827082250903], ["01a20ee5-7ea6-7351-9175-033e13f518f2", "vD7Lc4F7wj-TUlQPHND3sbyuSuoVVdipoG0jMiS5e3A", 1827082250918], ["01a20ee5-7ea6-7351-9175-033fc968937c", "_5QwS3FEUHu01VdtkRvBTgu3rBctstkEiiMUkxETkPo", 1827082250918], ["01a20ee5-7ea6-7351-9175-03402c7272c1", "HjQjZeH8X9dsKXwjikr-4cv-6NEebjeyBNMeYvd0Szs", 1803322250918], ["01a20ee5-7ea6-7351-9175-03419f3214a0", "WJp-BUgodc3XC4qH7uumtxiQF8kBCKrnOq0RmKMW6xk", 1803322250918], ["01a20ee5-7f1b-75ff-843d-2f76af293d57", "OQdhFN7p4xplJsY9aIK6A-RdhNUVj_4Eg4A7WBeiRFk", 1827082251035], ["01a20ee5-7f1b-75ff-843d-2f7751c8187d", "D1MTdoP_6urgpXzKtKpSh_v2TdO2TkazC0dvDg69ga4", 1827082251035], ["01a20ee5-83b8-769e-9a7f-8369724ccf98", "v4qkyJcxq9Vnw2sKsz-pFCqxByGJ0rYs-R0T-BzQ5W4", 1827082252216], ["01a20ee5-83e8-720c-9628-5240281d4e6c", "I9Wl4Jgo51OobYephXa5Ho6K1-IW4seMP76n7-Q8D8k", 1803322252264], ["01a20ee5-842c-76a3-8220-b35000db342a", "Mdp6IGQA8XQauYPIYSH5ofm5D1n_ofAlH73Vgwzl8I8", 1827082252332], ["01a20ee5-842c-76a3-8220-b351ed34bea7", "25QauZTfgUsUcSnHtmWa502gIhdZ3nY3hw1Dt9gJtQk", 1827082252332], ["01a20ee5-842c-76a3-8220-b352ac881348", "y5ND4iYYdAQXlmX3n2EBpQqpWooiF49Q3hTizw2qav4", 1803322252332], ["01a20ee5-842c-76a3-8220-b3538da2fb16", "9242WjOLmcUyHrOzT8R91cC47bm9Dz7ZWm2Gm09qejM", 1803322252332], ["01a20ee5-8452-7482-bc2b-b048dea0ec9d", "g_fmhK_KGpZNdtJ2k-tFIh7ZSM4_L8Rwu-kHx-SE7eA", 1827082252370], ["01a20ee5-8452-7482-bc2b-b049f9b7ad4d", "BZIwAdRm0n78UEEwOpUpZ4bJJiInx4N8qECBEWwguDY", 1827082252370], ["01a20ee5-8452-7482-bc2b-b04a082570ad", "wY2HKOoG3MhA3MyujhS2hJULxqW_6pI_R-hH4TAxVVo", 1803322252370], ["01a20ee5-8452-7482-bc2b-b04bda48eb43", "6ZgnFhgvYxfbFF6Xbw2Gm55DZIWb_PAyoCP4C67LG4o", 1803322252370], ["01a20ee5-852c-7370-8cb3-fc249dd6874a", "QajSsn472EudDvDAPAbd8vn96b_9ErtlNtFwYt5A_zw", 1827082252588], ["01a20ee5-852c-7370-8cb3-fc25f3005324", "WTvpKKnPc-cMowX3tGnNJK9VfV7atP0KVlZEoUEkOJA", 1827082252588], ["01a20ee5-852c-7370-8cb3-fc2663e1a65e", "5YR__LxEcZpO1Cf0zKr5M1esRdOeZDTOtG5XCUTA1M0", 1803322252588], ["01a20ee5-8533-705b-85a7-489589828b17", "M2zP_aZVkdryGom6d7rZbwCWssbXcsXV2MUkb_8yktk", 1803322252595], ["01a20ee5-86c9-7544-84e9-06fb27ca446d", "X9dXlYInuJeuONorJ4RuJtkj3IBWvvbuC-lbiXGL4V4", 1827082253001], ["01a20ee5-86c9-7544-84e9-06fcf7a099f0", "D0AZhJqnWOh-JCq5AD1N3opPTNMOo9M6tCgUysfd5IQ", 1827082253001], ["01a20ee5-86c9-7544-84e9-06fd779bfc1c", "NifHmdTlqNqtyL8cSKfcB3kI5uzZQylDkS_q_U3Zp4Y", 1803322253001], ["01a20ee5-86ca-7421-ada5-38b0c74392fc", "0ldrkS2YiXI1uQQnUV20msAs6dehXLferj6_5jyLHQ4", 1803322253002], ["01a20ee5-86f6-7634-aec5-22fe5e209ebf", "15ACM_gFYvIi6rg0zVQy7tpl2eXLj3WqpubuG-bzP5c", 1827082253046], ["01a20ee5-86f6-7634-aec5-22ffa5a36418", "WzYSvq-AT4zCsI4oOup9ehIRNDPXoSiXrbdIUSbw1cQ", 1827082253046], ["01a20ee5-86f6-7634-aec5-2300d91cd5ec", "7OG8gqebTHB0-1aCG59-S5Gn6UNXKCKVHjTTW4I3xqQ", 1803322253046], ["01a20ee5-86f6-7634-aec5-2301680542b5", "b-aMhHjsI--nIbL6WeB0MJmNgHuPkoTpfn0CWL_DfhI", 1803322253046], ["01a20ee5-8768-72ba-a73d-398fd060221d", "oo8sphkrumIyVd8raUbelc3rFQJRWtec4n0LbaLmJd8", 1827082253160], ["01a20ee5-8768-72ba-a73d-39909c6e455d", "n68r46RXPXYlFQZFJPxxoTYdv9EUnxQ716p_A_SbC04", 1827082253160], ["01a20ee5-8768-72ba-a73d-3991b006c9d7", "JXKp34DANiXNTYC5VzpmSiKJPmyN1BNzU7MuJBIVhKM", 1803322253160], ["01a20ee5-8768-72ba-a73d-3992e174a0b3", "PomUoIL6NchibjFUFlN03guNg9VSsBhunfL8CzkUvV8", 1803322253160], ["01a20ee5-882d-7557-99dd-4b6aa85a0368", "V_hAVS18BOXl9QrP5ILIIbh1ktOgqjlhka48MpICOzc", 1827082253357], ["01a20ee5-882d-7557-99dd-4b6b86846df5", "X7pwo9bZRHgAPFq_WL2QTOKO5ePcsGmdCInyXd2gRAI", 1827082253357], ["01a20ee5-884b-73f7-b919-53b35230d6bd", "HbriVj2t3AY4JMHcLR7uZVmiYNKRgtoUE2K9T6DDD9w", 1827082253387], ["01a20ee5-884b-73f7-b919-53b4a18de992", "p8jYYTZw8BFdOclHmbDXO1zLMv4GbM0B4j4xrO1E0Fk", 1827082253387], ["01a20ee5-886b-766d-9872-8b68d085b8ba", "Fy6H2tE4eGPLkpDx3XrsP4apsjzQCt1re-l_lFgpV8E", 1827082253419], ["01a20ee5-886b-766d-9872-8b698b0bd49f", "Xd1gNUjTPtzrouIb6IysAcJsjK6qEeLPWs8qYRrGleU", 1827082253419], ["01a20ee5-886b-766d-9872-8b6a72445695", "_7-XC8ru1srSJfry3Lr072pdC5CvlcLrLQTldMcJE-g", 1803322253419], ["01a20ee5-886b-766d-9872-8b6b349d1c17", "J8PQOuLMG3FCmItgjgRDFzLFtEfcgN3x4SItlT_qF1E", 1803322253419], ["01a20ee5-8911-7267-8838-ded4d5db8d45", "tJweFNtR9kZ4etlCONPiQUoaeW0xlqRFHh3JNFZc_bA", 1827082253585], ["01a20ee5-8911-7267-8838-ded5ccb70f13", "Vwy96jQeEgQD7JrKYWtKBxklNWe3RmQuOyN8_Y0FE5o", 1827082253585], ["01a20ee5-8959-74f4-a640-269a579d1b6a", "KxjS35HT7G2fEnKutx6gV-RlHeV1DeRPN2lowN8WVcg", 1827082253657], ["01a20ee5-898b-778f-b2f4-29f200f60c8f", "OTJMN0E4DrRq0PNdGT7vhUGuYNzAMIk2PqDiVbyruhU", 1827082253707], ["01a20ee5-89aa-73ac-857c-c6892fb5e908", "JeWbw_-BLQ-H3_NOQilYh6saGSqBUdOWEai8DyK7B0Y", 1827082253738], ["01a20ee5-89aa-73ac-857c-c68afe2b8a54", "x_eUtRCj8qeRbNk6haG0kOQSKvboLH3rnld0hTXLAew", 1827082253738], ["01a20ee5-89aa-73ac-857c-c68b007e8855", "k9NG3m5RhUXt3xK327tJ6DTXeKAz2JPUGP6cUcxFe7M", 1803322253738], ["01a20ee5-89aa-73ac-857c-c68c3f71d316", "SRIJitQGJljAy95-iJjcKQdhEuQ7SYtLzBp2qn_BQ1E", 1803322253738], ["01a20ee5-8a51-752c-8a21-2cfd9d97001c", "UV31vIS3QebY07ov5AVdpfFKSCtQkMSLqaucOmLoCtE", 1827082253905], ["01a20ee5-8a51-752c-8a21-2cfeb59cb0c4", "JSYJsR4-Yjgd9VU0ot5TCjReD8EH5pOLZBwV6En6R5Y", 1827082253905], ["01a20ee5-8a83-70f8-a0f4-3baec677085e", "A-lRjPeizh0aPjBum7-lsu5Wpo0TKEDwJE3v0fOoXD8", 1827082253955], ["01a20ee5-8ac4-717f-a721-da4e472cb837", "bQiL91VJOE2QakQFFXOj-hPbRQrgf4gVpY13gyyMH9I", 1827082254020], ["01a20ee5-8ac4-717f-a721-da4fdbc30142", "PRJUakf-cHrVXq9Op9xUM2EPbfKPSglBJjhdtmiACK8", 1827082254020], ["01a20ee5-8add-7698-bbc8-48acdbcd0e01", "PBT2FRQXvr2xkxE0sTg8IiL3yITWAwJN2fsLJ7cJpwA", 1827082254045], ["01a20ee5-8b05-70a1-b359-9b79ca8e715f", "IAxhuBgxpn62zY04U4jRNzsXj5rb3O0BXs-t-V_rANc", 1827082254085], ["01a20ee5-8b24-773f-9fb8-e93603897019", "xDXoCzjqeVK90B_nFt1gLslektBkerUwg5oAcMendQs", 1827082254116], ["01a20ee5-8b24-773f-9fb8-e937fd7e57b3", "R4Z6JqVyAUpzgQ6OJu-qSQPR3DNyx6-W0ekucpiLCJY", 1827082254116], ["01a20ee5-8b24-773f-9fb8-e938324f02e7", "yQJjvOkqpxhPvjxTeftLuhmLRjNTwqGAE7x-FgChaEs", 1803322254116], ["01a20ee5-8b24-773f-9fb8-e939a4a363d9", "PJpNH3CJuQWIEZd2pcRQ9Wzd7cuXlwM3CcvgCX8AETM", 1803322254116], ["01a20ee5-8be5-7194-90d8-f6d35dc64fd4", "ZhGTke3BeW-H7IEUugViNFEBMop3wxDoi2T4FFuq9j8", 1827082254309], ["01a20ee5-8be5-7194-90d8-f6d44272f4df", "45Cp9WqbMWwV-CbHrLPSjvVCl4vkDE9UpSarTIcAUMw", 1803322254309], ["01a20ee5-8be5-7194-90d8-f6d591885590", "OstSoG7ZPkqCyxxsiMohVqHToMc6ZvvqUweUincrfFc", 1827082254309], ["01a20ee5-8bfe-72bb-8abe-4e9f237a7502", "UX0KL8dltPvb3RjCEu7zrpbhAZ7pWOHtV1UPZFba2j0", 1803322254334], ["01a20ee5-8cb4-72c4-9bc9-9dc73b147586", "9rn6LQHheOduLbJb2CkPP4JB8zqBzHRyEwZU-9ZdtiM", 1827082254516], ["01a20ee5-8cb4-72c4-9bc9-9dc808da2446", "_QGCttNtuo_hhiJ4DuVSxaj8TSVSoWNieUBGrMKe3sM", 1827082254516], ["01a20ee5-8cd7-7377-b548-aa65e63d6a6a", "wOlU_wW0oLjEn5lBj5Wpp5GAOlNZM5ZKISExHpN60m8", 1803322254551], ["01a20ee5-8cd7-7377-b548-aa6661ad52f1", "5P-5IG7Apm198oTWybpsmdtVOSdRblg1qttCs92k-Os", 1803322254551], ["01a20ee5-8cf8-72c0-afb0-193c2ebb092a", "_sOnk4V5J6jO1pt11mxXAQH2AG4hq6cafMhrlonYd48", 1827082254584], ["01a20ee5-8cf8-72c0-afb0-193d00786893", "MNH42oYBHM31iDHDXpabMGg-qu1G8Tm3UzhE_YE_qQ0", 1827082254584], ["01a20ee5-8cf8-72c0-afb0-193eea487dde", "jhLw2yAwI--DFi90tFO2o9dGdqQhq5Y_VwgiF4BG9S8", 1803322254584], ["01a20ee5-8cf8-72c0-afb0-193fbfb9f456", "wggjZbwSeCg_fmwG4JQNuqaOw48TnQ8ggGUwlVZU8Js", 1803322254584], ["01a20ee5-8d24-75e8-a56d-0ed6c6b48b44", "mJNgXZt86qiSAj8QChvZTNkGorOOoE8djCbLS-7oDSw", 1827082254628], ["01a20ee5-8d24-75e8-a56d-0ed74ce96bcc", "1GopTkyDtC_SO3DP_WCMyHQ0cNXQUFdeJRxXNFrZUMI", 1827082254628], ["01a20ee5-8d24-75e8-a56d-0ed8d9f144fc", "SPRhzjwUcIBceCppUaXlXI5R3XSPV_8Rh0W9K5gymrM", 1803322254628], ["01a20ee5-8d24-75e8-a56d-0ed912a7d058", "0WQjL3S6LC_8xxILIDXtikPXYtOEt_eoHEj0K3DszsI", 1803322254628], ["01a20ee5-8d67-71ec-8212-7309bba514ba", "RpqhdJRJySX_bCIxwht5QRzsyYqXP6xsI7eNgsIzzXk", 1803322254695], ["01a20ee5-8d67-71ec-8212-730a6ad8295e", "EZosEw0N24fyWt2gsEiKvbqKAysgczDA-hZ5pZ1H9is", 1827082254695], ["01a20ee5-8d84-71af-8791-4b073d83ce23", "tDkjBHHUC1jlUEbCGcqAhBHQw8bdlmFpeR_jmw5jheY", 1827082254724], ["01a20ee5-8d84-71af-8791-4b08c302f26c", "myuNhYuI-Bgp1lhQt02oboSgCtfLuiGEBdSZCXfL4kE", 1827082254724], ["01a20ee5-8d84-71af-8791-4b0917c2e2ae", "VYo6FE5BW2dZrQW9SVZ32kD0SpIJEUbCfn6amg4IX10", 1803322254724], ["01a20ee5-8d84-71af-8791-4b0af2d4c15a", "DQYNmHaVqBToGRnbXD7XwQEtXKBbXVydD-DiO9zzgcU", 1803322254724], ["01a20ee5-8dad-7559-b4b4-d5db1e82a298", "OgR43LH19C_0CBItOIhExjhGbk9dSLvPR_bHry8A2ZA", 1803322254765], ["01a20ee5-8dad-7559-b4b4-d5dc5c9ab21d", "ve4WQ5705tefUoQwqoWyoZP9ZIbsZaGgrGtE7N0J1qg", 1827082254765], ["01a20ee5-8dc5-7115-8a36-f9c52df22f05", "h2qtpICvIv1L_3svXjuJks2Pl4CDTHITuxVwMqQzbhM", 1827082254789], ["01a20ee5-8de4-7096-9867-057ba1a53822", "9f_Y2RrZvMdD3EO9U0se8yuoMgN6a9rb5MQqS_nrC9c", 1827082254820], ["01a20ee5-8de4-7096-9867-057ca0e1e9f9", "A8bkYDJAbmdKqOSi57qecEBsyb3qQ3NUBq3pn9Mm8rk", 1827082254820], ["01a20ee5-8e0f-75b8-b4d2-2fb30665fee1", "Li67CS9Us7ayJ0PjXiOBTwEme-0OkdODUecWeD3eIXw", 1827082254863], ["01a20ee5-8e3e-709b-9b9b-cee5b81d9ef7", "XFlMBXjO-hXT8KB75gYT2NhHdZN58vNGGg_XIFxqMm4", 1827082254910], ["01a20ee5-8e3e-709b-9b9b-cee669ea645b", "1Jq4RZrNNcflLTF47FF0QSGkuHIHolm5tS-7Nbb-KDo", 1827082254910], ["01a20ee5-8e3e-709b-9b9b-cee737e73dd0", "kKdUXNVfcJsFFs8Ir7-44GKqOKYMDjPAabj_NSkowKw", 1803322254910], ["01a20ee5-8e3e-709b-9b9b-cee87b5d2a58", "sDGSzZhV9j7XyoFdBQEXi6XNzU5WWCIfet4hm9tiV1U", 1803322254910], ["01a20ee5-8ef1-74fa-8f66-597b6f6e9d7f", "lhww0fYc-MOjqeTCXYhpbXSFp6mAVO8v5biMvba2J84", 1827082255089], ["01a20ee5-8ef1-74fa-8f66-597cdf8f6af5", "EONYbcLVLgR7j7Vz0FVWhREbHMYa4oYus4KHPAtdC7Y", 1827082255089], ["01a20ee5-90d9-7136-b7b3-e4a5ccdc12f4", "lqXziQ_MX9xujUTkg5nmBGaUEVNLSP2jGJPJNfz6pUc", 1827082255577], ["01a20ee5-9269-7327-a636-5bb5a692d012", "Hh4tqdevBjUhvY0GN7BjEtB4_eJU0W1Gk9IZ1stNYlw", 1803322255977], ["01a20ee5-92aa-769c-a66f-c3a3d1a8b5ce", "GQ6h7WLrWpW-PbuuBVAJHSD2GwREJ75kNzC03QNPe9U", 1803322256042], ["01a20ee5-92aa-769c-a66f-c3a4f95bf9cc", "scEFwA1pTv8xiVPzV2CKkAIp23lYObD_IC-byXDMqH8", 1803322256042], ["01a20ee5-9322-7360-9389-cb70a75091a0", "AcdVRhGJqSNVbbJru8bcnT4e0FAgVqsc2l3DaLJKjC4", 1803322256162], ["01a20ee5-93c9-77b4-a741-a2d36e70557c", "qYT2OSvBeB2pGHNbsLQLNBl1qnmRPg9qR1rCXmgkXok", 1827082256329], ["01a20ee5-93e4-7766-a925-fde1d4d234ed", "ET7h4xwwzL5W3iYv-PG-G9R8sx5Rn5mPPsz9baEz1Nw", 1803322256356], ["01a20ee5-93e4-7766-a925-fde2dce5dbf1", "DXpWiIZBSD1fOqsjLSFVVQN4I4Z9CnT7XCex7CKJIqM", 1803322256356], ["01a20ee5-93fc-71aa-85ab-c2550a8c1131", "HG1A_iyy2tSHFrv2h5fC0a9y4DW3ULZK5unxDNT76hc", 1827082256380], ["01a20ee5-942e-772a-b6cb-b620b38a3c06", "6xCwZPDLaGpNEcXb6pk6rwnAiICekOCIfdGYJeqU8tw", 1827082256430], ["01a20ee5-942e-772a-b6cb-b6214ffaf0a3", "4-0SP8CwZMUU41P_JuLQPjfsiUFgdba1kQUxGIV_gtg", 1827082256430], ["01a20ee5-942e-772a-b6cb-b62291aa0442", "jqH6kqcTzuGHWvUv-RMAGHtln0L1687WDZuUedj4kEY", 1803322256430], ["01a20ee5-942e-772a-b6cb-b623f56ea4f9", "jmIyYPc-Gzww2egcWPwmR3vDpfZ0tD0a4mfcpKZIxo4", 1803322256430], ["01a20ee5-94bc-770e-83a7-3a6bcd0189b1", "t1gDLlFCxmCoBtMZmlkPeBKufu18kNGWeh4vE3fgdCE", 1827082256572], ["01a20ee5-94bc-770e-83a7-3a6c93217335", "vT1Q60ahVgxCxtbEdBTLOvd2T9KaufQoMUZmWNGb4Yg", 1827082256572], ["01a20ee5-954c-72e0-b443-3af340b07416", "B_Jor2I_voo3KYoZzFmGxWn-6dOv3f7AmC0XIB1lOaY", 1827082256716], ["01a20ee5-954c-72e0-b443-3af4ddd64a49", "RdB87QqjHDj5trgZREed5BPWT3_oNHBdHEYD1u4anAg", 1827082256716], ["01a20ee5-954c-72e0-b443-3af521d789b6", "8DzpqiDrGf9NKBEbFguKT7F9gM32IFMCLuZuRROzcMg", 1803322256716], ["01a20ee5-954c-72e0-b443-3af6f6fb017e", "I_jakNwsOtPa2zKG0z6KD14xdSwAQ69Zq7DJvXXvlVg", 1803322256716], ["01a20ee5-9557-708f-b638-dbf139868859", "y2b9XhIZwvEXY28-ljMA0WlWZe0U8Ds_sJTzB3QC-1o", 1803322256727], ["01a20ee5-9557-708f-b638-dbf27d810f4b", "i-l_C3SBONLDlZjyd1TuxaSnXE6lmFwRKsXjShv5c6I", 1803322256727], ["01a20ee5-9579-711f-a8a1-36d2d895ca78", "_kBmV5lxabiWAYc_TgIscMCoDL8L3yw9EPQ5WW6lfGk", 1803322256761], ["01a20ee5-9579-711f-a8a1-36d36c1d1d3e", "C0MFYmEbjjX3O1vekEvADqDyeUTPBlI7n1kbTqjjKro", 1827082256761]]', '', 0, 'Cd4rrSUr2T5uThOzt9vnZFZpYQr7yq-AYR4o_shtfZ8', '-m3pTx1NpU37M0xCpsEzJ4h2J2GkRnkCgM78uzt2vrg', 'JwcLdiTO', '2027-11-25 18:50:56.761+00', 848);


--
-- Data for Name: audit_unsealed; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: authorization_code; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.authorization_code VALUES ('s4kSInbrLPP4czw7VsKZHjUumCen3aFQwMHuVMKAcdM', '01a20ee5-8e3e-709b-9b9b-cee401b3b4c5', 'careful', 'https://careful.example.com/callback', 'openid email', NULL, NULL, 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', NULL, '2026-11-24 18:50:54.91+00', 'pwd', '1', NULL, '01a20ee5-9390-706e-a4d4-cf57517bfad2', NULL, '2026-11-24 18:51:56.316+00', 753);
INSERT INTO public.authorization_code VALUES ('laUO8fE2QianXgISeQ-7n5ma7mLhDow9WmOseQVi_c4', '01a20ee5-8e3e-709b-9b9b-cee401b3b4c5', 'app', 'https://app.example.com/callback', 'openid email', NULL, NULL, 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', NULL, '2026-11-24 18:50:54.91+00', 'pwd', '1', NULL, NULL, NULL, '2026-11-24 18:51:56.695+00', 807);


--
-- Data for Name: authorization_request; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.authorization_request VALUES ('bBUHD2bJaUMU8EFnDShGccZ98Ixv25aNUpnyr0612NI', 'careful', '{"scope": "openid email", "state": "xyz", "client_id": "careful", "redirect_uri": "https://careful.example.com/callback", "response_type": "code", "code_challenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", "code_challenge_method": "S256"}', '2026-11-24 18:50:56.684+00', NULL, NULL, NULL, '2026-11-24 19:00:56.684+00', 806);
INSERT INTO public.authorization_request VALUES ('nwACJSFnSl6rcyDB7t6QzjZAeWed-j_8bbj_leQiVX0', 'site', '{"scope": "openid email", "state": "xyz", "client_id": "site", "redirect_uri": "https://site.example.com/callback", "response_type": "code", "code_challenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", "code_challenge_method": "S256"}', '2026-11-24 18:50:56.703+00', NULL, NULL, NULL, '2026-11-24 18:51:56.703+00', 808);


--
-- Data for Name: client_session; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: consent; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.consent VALUES ('01a20ee5-9390-706e-a4d4-cf57517bfad2', '01a20ee5-8e34-77a6-8850-415598f280cb', 'careful', 'openid email', '2026-11-24 18:50:56.272+00', '2026-11-24 18:50:56.272+00', 752);


--
-- Data for Name: device_code; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.device_code VALUES ('uLaifVyE6H9sWIE87WfXluboPuWU4Jmb9zuu2u2XARU', '9e8eRjDTYACxafoQiAz2kL85ZapdAnwFzjuS_0m7KRE', 'tv', 'openid email profile', NULL, 'pending', NULL, NULL, NULL, NULL, NULL, 5, NULL, '2026-11-24 19:00:56.387+00', 769);
INSERT INTO public.device_code VALUES ('XqPVvr2h-akf20Pb5veccFZ7O-QBdAE2C8WpW4-T8bo', 'lnhZ1ZL5aua8GlELzvz-K8zq51sT5ro453mfhcn50LI', 'tv', 'openid email profile', NULL, 'allowed', '01a20ee5-8e3e-709b-9b9b-cee401b3b4c5', NULL, '2026-11-24 18:50:54.91+00', 'pwd', '1', 5, NULL, '2026-11-24 19:00:56.395+00', 771);


--
-- Data for Name: email_code; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.email_code VALUES ('frank@example.com', '789vq5lCun_wm1ozxUg6pmOsX3DE_SvQaqUGd1QyRuI', 0, '2026-11-24 18:55:50.39+00', 190);


--
-- Data for Name: email_step_up_code; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: event; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: event_distribution; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.event_distribution VALUES ('last', '01a20ee5-9579-711f-a8a1-36d36c1d1d3e', 843);


--
-- Data for Name: held_up_sign_in; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.held_up_sign_in VALUES ('3FDQE4dntaPWAYeGbrmNrgeq-6yuBz2rFfTgmum9pa4', 'two_factor', '01a20ee5-7d42-7468-b423-f01883088662', 251, 'single_factor', NULL, '/sign-in/email', NULL, false, 'pwd', 0, '2026-11-24 18:55:52.264+00', 336);


--
-- Data for Name: id_token_nonce; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: idp_key; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.idp_key VALUES ('W0eGB--QSzOB2t4gKtGmUtV7iGbD0nTeS6uHvSdY_VY', 'EdDSA', 1, '{"crv":"Ed25519","x":"jcZ2lhP5HC2781ZyDfKVEH11ZhYdcWwSAnOnDYsln7U","kty":"OKP","use":"sig","alg":"EdDSA","kid":"W0eGB--QSzOB2t4gKtGmUtV7iGbD0nTeS6uHvSdY_VY"}', '!JwcLdiTO!cFGpEyo-1eAObOrbCOHFzmri7jTTUjqKHKVHhkjsIX-4WwcnsVkA5CKYruJH_J8OnKnDoKA1cSmCqJIbi03dIwUWXP6BNGhP41EGtOGcj2PTXlLhN5bK8ebxxzx-b7WioDMsFOcck8LQKeAU310U6mWvL5jahI1tWKgLHEZrvYcskJS6i9fbu5KKzIHAUtNYgDeYXuCvb3QaWuermQ', '2026-11-24 18:50:55.195+00', 715);


--
-- Data for Name: import_record; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: import_run; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: invitation; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.invitation VALUES ('NcKE9rOBUlnawd6L0BqFcyN1Ctyc0ZR-r3x2Hsq9YOM', '01a20ee5-8840-77fb-ba4e-0468a99726d7', 'ivan@example.com', 'member', 'pending', '01a20ee5-8767-764c-8900-6a29f8010c6a', '2026-12-01 18:50:53.607+00', '2026-11-24 18:50:53.607+00', '01a20ee5-8927-75eb-b33d-6187cffd0038', 486);
INSERT INTO public.invitation VALUES ('WO2U4Uy_Z3My-ToA7oG0ixX52L0ivWC4zld5UjVPviE', '01a20ee5-8840-77fb-ba4e-0468a99726d7', 'later@example.com', 'member', 'pending', '01a20ee5-8767-764c-8900-6a29f8010c6a', '2026-12-01 18:50:53.693+00', '2026-11-24 18:50:53.693+00', '01a20ee5-897d-723e-acd4-ddd9eb1d2870', 493);
INSERT INTO public.invitation VALUES ('7qper-frVvxk-WH-GgsvKVIWfXf9Sc37E7orBjJ7X3w', '01a20ee5-8840-77fb-ba4e-0468a99726d7', 'uma@example.com', 'admin', 'accepted', '01a20ee5-8767-764c-8900-6a29f8010c6a', '2026-12-01 18:50:53.929+00', '2026-11-24 18:50:53.929+00', '01a20ee5-8a6a-72c6-98b8-a1add95b7755', 533);


--
-- Data for Name: logout_request; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: magic_link; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.magic_link VALUES ('erin@example.com', 'q5IhTBiCN52P8cWuccAF6ug583mtrxLNCyrJ_rqzAP8', '2026-11-24 19:00:50.375+00', 187);


--
-- Data for Name: mailed_token; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.mailed_token VALUES ('QKYLvMeIDNqswL1KtPFwf0QDi29HuMPMlB2j1HnMF9k', 'verify_email', '01a20ee5-7bb9-7526-8e0c-f5a50574890f', 'carol@example.com', '2026-11-24 19:50:50.176+00', 129);
INSERT INTO public.mailed_token VALUES ('fQAesEOpZEapQdf3sX-YqOWy8K5cpxrg6EM5KNEuawc', 'reset_password', '01a20ee5-7bcc-774f-bcb9-34312ebe1611', 'dan@example.com', '2026-11-24 19:50:50.204+00', 147);
INSERT INTO public.mailed_token VALUES ('S_iYWD9FXMiOU4m04sktz14hphCB8ixmBvVJfyISa3g', 'verify_email', '01a20ee5-7bee-7340-b6d1-ef5f368de2ea', 'nina.new@example.com', '2026-11-24 19:50:50.369+00', 184);


--
-- Data for Name: member; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.member VALUES ('01a20ee5-8848-7376-a3c2-2b855adb3730', '01a20ee5-8840-77fb-ba4e-0468a99726d7', '01a20ee5-8767-764c-8900-6a29f8010c6a', 'owner', '2026-11-24 18:50:53.376+00', 452);
INSERT INTO public.member VALUES ('01a20ee5-8aaa-75da-ae01-402271d60172', '01a20ee5-8840-77fb-ba4e-0468a99726d7', '01a20ee5-89a7-7199-a2d2-13396994b93b', 'admin', '2026-11-24 18:50:53.994+00', 537);


--
-- Data for Name: oauth_client; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.oauth_client VALUES ('01a20ee5-93c9-77b4-a741-a2d2692e0c5e', '{"jwks": null, "scopes": ["openid", "profile", "email"], "consent": true, "jwks_uri": null, "logo_uri": null, "resources": [], "client_uri": null, "client_name": "The Wiki", "grant_types": ["authorization_code"], "require_pkce": null, "subject_type": "public", "redirect_uris": ["https://wiki.example.com/callback"], "refresh_tokens": false, "resource_server": false, "access_token_ttl": null, "security_profile": null, "assertion_audience": "endpoint", "access_token_format": "opaque", "sector_identifier_uri": null, "backchannel_logout_uri": null, "tls_client_auth_san_ip": null, "frontchannel_logout_uri": null, "tls_client_auth_san_dns": null, "tls_client_auth_san_uri": null, "dpop_bound_access_tokens": false, "post_logout_redirect_uris": [], "tls_client_auth_san_email": null, "tls_client_auth_subject_dn": null, "token_endpoint_auth_method": "client_secret_basic", "id_token_signed_response_alg": "EdDSA", "userinfo_signed_response_alg": null, "require_signed_request_object": false, "introspection_signed_response_alg": null, "frontchannel_logout_session_required": false, "require_pushed_authorization_requests": false, "tls_client_certificate_bound_access_tokens": false}', '["rBXb_RmtnPSgR5dK0MbZy_713Mtzcdug2lJ1j4FbngM"]', 'jfSlRFci6FObo1z0NXin2S1pBk6VfwmN0g-SoiKK_6c', '2026-11-24 18:50:56.329+00', '2026-11-24 18:50:56.329+00', 754);
INSERT INTO public.oauth_client VALUES ('01a20ee5-93fc-71aa-85ab-c254b20946bc', '{"jwks": null, "scopes": ["read"], "consent": false, "jwks_uri": null, "logo_uri": null, "resources": [], "client_uri": null, "client_name": null, "grant_types": ["client_credentials"], "require_pkce": null, "subject_type": "public", "redirect_uris": [], "refresh_tokens": false, "resource_server": false, "access_token_ttl": null, "security_profile": null, "assertion_audience": "issuer", "access_token_format": "opaque", "sector_identifier_uri": null, "backchannel_logout_uri": null, "tls_client_auth_san_ip": null, "frontchannel_logout_uri": null, "tls_client_auth_san_dns": null, "tls_client_auth_san_uri": null, "dpop_bound_access_tokens": false, "post_logout_redirect_uris": [], "tls_client_auth_san_email": null, "tls_client_auth_subject_dn": null, "token_endpoint_auth_method": "client_secret_basic", "id_token_signed_response_alg": "EdDSA", "userinfo_signed_response_alg": null, "require_signed_request_object": false, "introspection_signed_response_alg": null, "frontchannel_logout_session_required": false, "require_pushed_authorization_requests": false, "tls_client_certificate_bound_access_tokens": false}', '["RRmQFuD9g-ZbecsFPExXzuotK_v3YtpLJ5kIjrCFkXA"]', NULL, '2026-11-24 18:50:56.38+00', '2026-11-24 18:50:56.38+00', 765);


--
-- Data for Name: oauth_state; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.oauth_state VALUES ('pGZ3Qg0s0mY9lNJ788r3WFbmMMh0gF-WzWviyyKt8Os', 'elsewhere', '!JwcLdiTO!lA_x1O--VEDZKaPl2OPkkQOYQEktXpuj8W5lrzM0wE09crCaYqnNvPPZTwdWZ_78IcBLagnbxnssT9Iis6kYmouwXY9aO04', NULL, NULL, '_j1x5vPPH5C-0eZmttvjReqC-b-TC4TD_NTm05SPmXg', '2026-11-24 19:00:53.084+00', 421);
INSERT INTO public.oauth_state VALUES ('d9edoM3lVA4K_KcAGdbvct_NXlfHfSp1aeEYVdaxd2M', 'elsewhere', '!JwcLdiTO!8hFcEXpwM8PB2MiuDKB72RJlsFm7qxFOHgrXY959H_eXrFc-yV3uuZlvrfK55XCnvhlqlKqEtfnTiJnCM4tHCFTmeNhD1wc', '01a20ee5-86f6-7634-aec5-22fd8a326536', 'pYBW94K0FQkz9eByEAfyHB5eu8ZlwmNcpwU-zAVnPbM', 'B3PoQVvR2toZ3IRXRJcSrQ0GoZhkmitGtrRfDwDcAmM', '2026-11-24 19:00:53.132+00', 422);


--
-- Data for Name: one_time_token; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.one_time_token VALUES ('cTqRnXEB9G_yHpMFMitMOL9cGvUt9w-NJ_ZPAxtUZqE', '01a20ee5-78cd-754f-bde0-ae23ecbf5344', 'Ial0O2GggFK-gaZAnWPTb8K9JbDEanV1iKF8huk_Y0E', '2026-11-24 18:51:50.163+00', 113);


--
-- Data for Name: organization; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.organization VALUES ('01a20ee5-8840-77fb-ba4e-0468a99726d7', 'Engines', 'engines', '2026-11-24 18:50:53.376+00', 545);


--
-- Data for Name: outbox; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.outbox VALUES ('01a20ee5-8984-77fd-93ec-8572e01af69c', '!JwcLdiTO!0DrKA1zvUr7qW3Lgr7UlS5EmhhSs_s9_Np4JP3zJsN8ICC3BkdlUJar9jrTc4RQFn85_cI3vfAv0HHac2epIUY8q3af2JuU39lZGwWIAit5lbzKWIxa5i7AxYqII8V4gPGmhHhcTK1PgF6rqo2EiO4rAFvhlH66b7Jd6axotPDJyd99tB7vcotMGgN7-BBSATwjyuMj8YO_asHxAx7e0dcV1utAHSnXmnZO7gaTDp2EiT4BkZRJkS1s4WDypEyaFr6me5makGmHLoFPmDV-xBRKRk8PcTHwflOwYpsrkYKLAwnSNbvmxVC9-cHFmtNVuAbZqyhCEgwG9LlNs-N829WtpiWmEenwBZisA5AEZoX6pUk1U2j4YGVzYKYnPQb-tC_mIaUvBfPNLingEJwpS6s1COCtfu4RYGCS85dqpdtfezVBSk0r7KRsrqW9A-dcEYZl1AJPJvIM2A389Y7NOsNHZkugXBovntCzKjX4pTQclhEveuLpkX9hZEjxzFxamGVtGq5b0HGaXcz3b4K0Lc3l_20MtyLXFXLQAIyPobUvVkh4yCo3xutnQFmc8O2zaeMJ-bwoPMW-vYSDtBSgI4Hzbr5Pnp-9g6koODNCQYE1bpsgjK2VF23bHo1Nbh4c7WB-75U7YY9-wWkTxf28Nba1POkSjgibnhOQIvbUGn4UUNW5phdKEd9FYdds2NzHP0HF3zEDLJOJ6J-s-D4rqiR7IarBUFepWWEgUrQ-3Y8IQxZGacK179vavhMzO-_r2qkaJvZAMYdNP9frKPg7MZ-kj8_d6ero4hTACLLw2TweHRGK9FvX2EWy7OGc-dCQAM7pBOnVQsG9kTQ8-2Fa9A7wectJZ2Dj-8ovgVxhQRKqGw_9If5vb19NNYVe9lLDem3TqNr7fJ3O7VYsynX_60ULLADa3ULv5lhH30m_RbZLAntHyZT1kRNFgwpQgDc1FnbBNpazLZ0T_myStQH0Pv9Y0O8k4ABQpfFQrBDS0FTMxmhLMJz463hR4YcEtTyFDDBljJB1y20sUBp6G_HD9hQB1-VhirN-3pgvqtgepnChjWiYGn3yTYRKr7U7i0Zq62oR2oIMVwpVp-O1xgFE6sowr8fp1ZgagOG6PGMNEihEEIT2PslW5GAUUN6w30lEVdo8jEO9Y5Yr8_2trCk326a4S-ru0FznTf3GR5IEwacxReMDvbSuydbGUGP3CV22znQX0miV1qzAmWLvoz7NtACxTFc7DbkW-hdW05FvPBtEGsZwLb3kD8xGRMhLvndRkFifT0wF7zCfAk8ij_XLP5A7L1j9ymuuEW4-SYeprKHERMk_x1iJr7rpXUFECX75o_sc9bHKDIaEPY8XGe_LH0P3MG-r9onb8ERlPs5WtHhC8OmfDW5X6S33O_sFeQNu54BfEb4knLcN9uE95hodyRgbtBevN9GkQuRp2dL1qP9gvLXi3kuDyKtl1FEzs7f4CcXl1isfjpTM85bSshEyfmtU2rzhVzoRA-KSz7ZKaEOaTlmU6s9FXkGDWoh0ZA_oLdDU-ytkZSZi9vhL6cS_UpDCXkpBdaRvOZTOD8xopwEDxSDL0c35NuMRRR3GLJugOyKlZWyqpA1zXHIk7aVTGK-DVo3muLQLleuqeNiwe2RkNkWHbI4XJW215rqeXP1WHK1PdHqdA__ED6CnTwxdWBp-aB6gZYaf9GjIZ8GlqVy2rU8MQgQNGVLgiM60eXLNCMB-uAtbPFyLrHZ5FhJWfvBOvEnD4F2Qxnv-KjhiB5CPxE-Xv6jxI_K1IqTHHT8kuyPTv33EAlyrHQiZ8jqsYBun0oZXV73TUchZwX2Duk2M-Fac3TSGyeQRR_upwjwYF2GCtF-IwcBbxdRNwfRp_JEUEWpCPPDOQweF0slGvhMilPmNkBu6Q1YL3Q3Gifih4HRDY6HjTjQSpiQpJvLXbO47IBtX3EldP3i3-zVFEJo1WxFbRqKyDoPEoBQNVHWjivYqOzMHCsY_Y5Ktp_l2sWSgwfBg0XHg1MVZ6j_urZ7nkKt_8-3rmgsGwGuInr1yMOnB71gwEV4_Q2UQw1KyoAttUYKwCtdYdAxjkY4CA6fbaCPHvQptr5x2kuSVX0nR6JdIWsZU4PNi8_z0aJKW0tOcAUDLm5SwCXm4E40Gsufs14l-hGCXIvJN--Ei1tXOF1UucNKeGSlTE1AVkPPQAMk8aYdbba7jK8YfcX2ewl9_g2hMPsJqPffOPzu8zgBQ-QI0fC8kIhG02s2nzGQrMiKaNsmSjt6apS0dMXuvPfF0FWnWfUMvAuliZ8isX3zCqyGZKxazhKPFiyTwoN2zdzzizbSXGIffE4ZIRw5Unl1C3616DDo7T52KrqI85fLLAyYXFu6L0MWguGbcxZ7U-dnrsz00QbfGomJwtRDKCiFvCBluYHaLSuZmCjr-pAqNo7a1-QSMi41CJ5hIKtyQnwYZ0S54Dv_ljV4_sTfD7sCFY5EXJLJmmk9ZrkWJXUu4P5EdRydlGBtU2U8VzDCyLYju7nlIhd83rQgkRJwYUAZwx8FBUH8TtrteYKsWq9s8r4IwYVgiHv_Qhq9fnM7UYmTHxYjIbeeQzu_V8bJZtNIr-Armt-Omch_g_VhZ9QItP5RWCXkkp0EA_7lFcU-E6qy_w8nMuQCvMKVs6AYkUR1WRCN4cDcivXPejx4XlisOnA73wEaJPlsz0kZQmqiunL3eTpdM0gPbQsSOQODZyONjwFsQxikzwsuaBt_bAtG0mae9k6QiliwcWmHsGelr3s8waiE1NxGtu_RKQxgNX3r464bX7qt7GcNJR2XXhgBXsBfE3H30E1t5obB0Ew1BuXK1cQ_uh-DmF9KxIwUYXGYSuyZxha6dXBZ1NL91GBGE5Ue8RtA4K15I7BaTNLdOQKZIYmUdMnWREoNCtOviKEXUewbpxX2akca9vLu69RnG6ysrjs7hJ47TPwkGyYCu9NwU60_qkeY7bqte77UijSgXe0QqORDNMFjbyoeHOIkRF-jnILYtMk5ZegmGtyiiKbeyuETjfFh9Laho8xYCkYmmVCKw-vdXCzFM7yxXCmhSBbDJSEkaKoBM9Qi6B6DxzCWpMCskvkDc722Q-ZWzuVB_mfc0N3Mmjmtqd2C5e1285Fs_WN-NlKWiTqJRgc72eoR-Eikuj5zlNHoCD-OZyUxwsiAl9Cr5l7tiPmxNbGesr-GH_zIDpWPs9tm31Fpiyu-HLaKk65iY5wJCLDmbQC5Uein3Wk_EvMSYkqWSw3-ccVtKWdM9YrXTZQ39naNpq9JHJ_fcYm57KAq6gEkBPvokgLRqxesC3IQLmFGoOW7rfuCk8UNQ73nO70jdAc5jIbVJr2y_JMJHPQuqHz1_DSEDEvzXmMT5Mq55II6aoccGtuPC-MSiFNcPql5ybQ_B4X2vjAk__T5Au4L2lmllb8ktqNvJ9JM6r6uRgOMNCUz6LbOFlMef9O0hfRPWvZRuyhO1PNnMw5bLqWc7ujiBE3fzp8CyVyDBTT0ydAGPVt9osRnmsuDNK9RfZKO7FGpsxmXj44ChEjdESGi3k8mJL-GQBjflIqW2viCqdVCQV2SuWqIAtDL3S2XXhZeLUudgZMDh-2vIOWDOd_zaWJsioJGK5-mNuTkUaAE3_u9dLzL02F1nQzQm6RuK96juNJr1QuTSNAeMGenBpwOauszQVxsv36-LrY3Q06jI-AWIPXyy11Az5OWmvf0GFb5ccrri7X32ZXxOIYHTl5ATVCH2uZyEPdZyUoAC1Pv4Ew4DcXY2Tt_ff24fxb1yobdUSv7EU2NWg-KCJq-OR1R3sEkhGYwmGPhOU06O0C0X6-FQ8xfschb0AWGQVcU5ztGsbVZOtpyTzF307XhKhlfOh5etLvS3ZWEHlIIJHkW8dkBvKr5gF-Q5Uli6cxt1gfYxMXlzdiP-ajCA0Shg5P7tMQPwdrmmGP_Azjv4H4G7qWK7jKPTysinFYBlTK8QyKojJYPed8ASZBrlHg1BCloX9nxdcbut0Kj3HNBaruTkOa-cYG8vPd6j59IxN06XnrNb5Cvg2eCUQC-RpdMoGuzZjI-M-m3IMWWbA26eD7775QROGk65twykguafkWREzs-FQR51te5LBdHoMmDG3l6BUniYJAEUr4YTkVNZp2C0y7JOLSpuLNsJb4B9OyvrygNBAh9oRODUIb6PC1EXoR-FepvESEzxysPwvnPqLUwdy06k4mUjF5xRy8sV-8KKK3mB2LlP_kU3kAD7PFGCdthIuNv4TGI41yNlsr27b0Y76zYl_KC_FLwK2siTAMnuDaI6AOpyO-oLsjkUwNJfniVJVQ8iDVTvHsBz7Pg6pSkZLgc61O7HeDP2A_9qZd3yRS8ulWcfRo28y2sReVaw52mSvzGJ_XhH_M59-xr6vH-HJuxMgwIzOMcR-2XSS5P0k_xjTsZvn3m-8q2gWa3tvGG5yb1xWAePwqEYCWfi8uQcA8lNMkcKhMvZcs_AsvMilKjQM5r3K7M0qolwbSPPekAqbh7HgX-1-n-YbGp5U1UBaKEWqJxbiOiI879i9XJhUOBGrNxPBS6TKnGqsDmK0YoNTOabVti8S9khgHRVI3quI1pZflkC8c1fecZ1yb3Bq8cKjglogN0KNyaxzCRVknvJdJ15xPu7ZzYc-xttr5zhYFEi11GCXRaCdJ2g7wfiTA7bHo1RlI0X57ZrsB1xbYPg0U127E2Vv6HUsGqz8mPE2IMzLIAO2aPep4_kfC8TlzUlaBCXQTH9hxc9nCRcEI41C-jc6i_c0c7G8mvT8EVXkLmqQ6Y0xq6G2lne9nBI6hdZeDlnKYnClV9v_Hrl9QtbA1y2CVZwg1dFgxwNkPAbrVIpKkALrWLmV4rrVHA7cP5Qv6Eal5RXavC493WjE2ui_2zz02jiImtf9--K4OepcSIl246C476smWbCyT0l7jlT3R_3m0ziC_-It8_XHA324zgAjMo3FiZ8uIghN3QtB2IfBquqs24T50FabCn9KWhNSrJTccyH8mp09X3WB0-3e5RoeRTUaO5BXxOLjrRVJVdY9kyafwtKGQF29VVmK5BdCD25HgHH_CdPCYs5BKoTrccc8ZIDkCHkM2cMW44FX1X_qlqZ_-vsAwNYJWqDwqWNjIAzPoJvcPsyNlt-q6ANi4MFJq40K04VpTOSYgw_C42pUw3ZZjxuXUCpYyb07AAZI00nAtfeVF-slnh9mYSiFKCsUzlcP', 2, '2026-11-24 18:50:53.7+00', '2026-11-24 18:51:06.096+00', '2026-11-25 18:50:53.7+00', 'Error', 842);


--
-- Data for Name: outbox_dead; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: pairwise_subject; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.pairwise_subject VALUES ('01a20ee5-951c-753d-a498-6df5c6092187', '01a20ee5-8e34-77a6-8850-415598f280cb', 'pair.example.com', 804);


--
-- Data for Name: passkey; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.passkey VALUES ('01a20ee5-83a8-765d-b618-ca9f6787599c', 'laptop', '2026-11-24 18:50:52.2+00', NULL, true, '["usb"]', '01a20ee5-7ea5-7406-8535-b68ec23805c4', 'gjzq5HwHZqx9l_l9WDwvPCxkfVIKyDkiXh66Igds9B0', 'pQECAyYgASFYIEOxhhRkV9amvYBCfdbekSF2NeSFMi8pkKedagru_cuSIlggUHvzYfoYZM30OgXytLbp8EU6i7I-OWYnQzn88jeOvCA', 0, true, 330);


--
-- Data for Name: passkey_challenge; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.passkey_challenge VALUES ('AqtnXT9j3ZUN3gYi23w1OrJ5ewL1AWiz_0Sc1P4mB_g', '16WTf2hEtS17l_Zx_5n8Q1_CnNLdSo40M2AbFKcX7uA', NULL, '2026-11-24 18:55:52.272+00', 340);
INSERT INTO public.passkey_challenge VALUES ('55KQUVn7Z6zYw8cRqVVGlR6DlMwMHHpYJBZK6RAInrE', '01a20ee5-7ea6-7351-9175-033d5531463c', NULL, '2026-11-24 18:55:52.305+00', 341);


--
-- Data for Name: phone_code; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.phone_code VALUES ('+14155552671', 'U7VnjyEEuCGJlPJ6c9wt-4j_BRSdv9DnggHITsgf_tw', 0, '2026-11-24 18:55:50.401+00', 194);


--
-- Data for Name: profile; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.profile VALUES ('01a20ee5-8e34-77a6-8850-415598f280cb', '{"nickname": "Amazing Grace"}', 737);


--
-- Data for Name: provider_token; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.provider_token VALUES ('01a20ee5-8528-7091-b7fe-4d56c3fc85bb', '!JwcLdiTO!o2h4tkyqO46hczV50GBX7gSUCa3H0KOfdlXvJzxVUM7kNdxUzK5F9KoYrKMjLFGxl5SANUpZcAHMJntXJZtOL8C-neG8VJEnK1-JLmooNmTbUhIZQCy7vOv1aEh_N9OVAU4', NULL, '2026-11-24 19:50:52.62+00', NULL, 388);


--
-- Data for Name: rate_limit; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: refresh_answer; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.refresh_answer VALUES ('01a20ee5-91cc-7329-ba09-349f60632cda', 'LElUhigQRUZdRisuvjdTMp0lqxApalw4_QfJNKdGIdUYQfZwnkBAXoqimwH1a0RxtEPWbFED4qVsGIfC8RG8CcNo6nMGs_aTtu7OSr5O-wp4voB6k-zrWCSFbQjfT5T0mJZBbNtb7-P7iXFjcNkrN2oS84_JnNbDO0_o36_Eo07i8cxIqVlC7aT1ACU2ovhYSOyo40ey8FzCvdi0hM7VRe77KINmjDkKPPrX1odtAMQheOyx5eQyes8RuS3jMm42EKSHw2PPXuRHP33U-SGpUsl8wGPbCJ1j-mfJnNFSS694XghOebq8pP79O7WsF5BfOw0wG7MFVcp-_0fwWNv4aaFUZ60V3vf5ut4gyr_PGUbz1dKO1FhS7awWoXfzQOnfkAUBkh0pBWoqmgwAtZqyAOV2y7BbZwbTn9IoyFn-6fuvUkp3ZbS_gz6N7X3baUtox54AAr9IM9oW8zBjoA-TvLknEUs_5IWN1rp_uS4qQYunfuWUv5MGpfMtCun5Z71CE-iQyY3-FfnJQwvR_jmkZMh6m815jD4r1ezOlffqUayJPomZGD40IFV3mwX8zM7susHwL5aPJsIKTHtMovwkA6KXiPDCFDwFQTBHWZ9fWul8LCpmaq51UBN5x4-Sc9SH2zUVQPs-l_e6MH7n7STbXbmXum17rSZ2Coi5kZSPVi1Gkuq8kViWX0PvJbywCyHFD3AZjx6G8OlrsAAvw57P9S9dcbUhgOGznpprkM51iZFN1trGtt9AzrtvqZVeojIKxdjtJKZcdBsYtRpyaUX-3y07s3RnIccooeYm7FstnztFQnGz6JiBArIfzehYptOtw8mUNea_hk4SdIj_b84w3JE-4ItBFY2Mq-ilaaP6y8wNdys3V4UMGpgzzO8aB6G1MvVh6a92n7DRtWvgsOLLCkMbWznH2wuWHakUnvZAB7kQL29b61dHYrARo-8xK_u6KDN8vmB3rnBba0BMX8m-95c-OpKsFZdhPX7SLlSWUWgWqAOOjqcuIOEXpCMGm8YUY9EG2L1PGgw8f7l8WEZplR0hR0wsasz6XHYbPW_WasQs-y0bV0n2VoDpz5NU6eQrCcQSQ3H4cLFG0C2likvdnXTeeeXYrwLkjOeuqZ2Y6KPi7DSDE3f_ip10c3WoFCLtN9Cp6u8jp81QdEcU3xtyL5wq5NSf9f6SJT98URbugL02rTyCO2nFMwMr8BbkYvOg6Q-_lT3FWCIfgpdl6aCzu8Tr3KipRQXw3CXrVk8Dfm_1yyKy_V2xGSLEO-ZrolK9jEZNz66QB6rlsQ3v3sfZ7KUhfojXAJOFFaTHfg', '2026-11-24 18:51:06.613+00', 799);


--
-- Data for Name: refresh_family; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.refresh_family VALUES ('01a20ee5-8f52-77ad-a92e-4bb92a6e4b49', '01a20ee5-8e34-77a6-8850-415598f280cb', '01a20ee5-8e3e-709b-9b9b-cee401b3b4c5', 'app', 'Hb1yRd_pCudkBJpoDcZRF5Tpw-sfzLspuVbGUhmucIU', 'openid email', NULL, NULL, NULL, '2026-11-24 18:50:54.91+00', 'pwd', 'X0I_5iNHe4gxLpfYlSD5Hj9NoJU3UhJaTPkNJHng-TM', '1', NULL, NULL, NULL, 1, 'D1N9ggiFfSAIN4hxkrn6Lc6l_0diJQ8P-IPFMAEfsXI', NULL, '2026-12-08 18:50:55.186+00', '2027-02-22 18:50:55.186+00', 719);
INSERT INTO public.refresh_family VALUES ('01a20ee5-91ed-753b-8615-98e75aee184f', '01a20ee5-8e34-77a6-8850-415598f280cb', '01a20ee5-8e3e-709b-9b9b-cee401b3b4c5', 'app', 'PRzoNAB53i1pgrNlGW_6D9KnXFl6p8zTtLr4SCsBO9w', 'openid email', NULL, NULL, NULL, '2026-11-24 18:50:54.91+00', 'pwd', 'X0I_5iNHe4gxLpfYlSD5Hj9NoJU3UhJaTPkNJHng-TM', '1', NULL, NULL, NULL, 1, '7T7sljZ6X0R41FSmTjjRwu4fkbZL4HtRe4Sn4TeYeDg', NULL, '2026-12-08 18:50:55.853+00', '2027-02-22 18:50:55.853+00', 731);
INSERT INTO public.refresh_family VALUES ('01a20ee5-92e7-75bd-a427-bc80d5bb5dde', '01a20ee5-8e34-77a6-8850-415598f280cb', NULL, 'app', 'gZ3NK3q46VJMwK63AUFX6AOJ-4f6GHcEPDzb0_qqQ58', 'openid offline_access', NULL, NULL, NULL, '2026-11-24 18:50:56.041+00', 'pwd', 'JSL3yn6AVjY9Su7eFTHSvgAXA1LV1DB5F1iFhqk4ET4', '1', NULL, NULL, NULL, 1, 'koHUrRFfxwScfKdK6D2WMMNBB3Ze9W9CmVcXaRSfLbw', NULL, '2026-12-08 18:50:56.103+00', '2027-02-22 18:50:56.103+00', 746);
INSERT INTO public.refresh_family VALUES ('01a20ee5-91cc-7329-ba09-349f60632cda', '01a20ee5-8e34-77a6-8850-415598f280cb', '01a20ee5-8e3e-709b-9b9b-cee401b3b4c5', 'app', 'sPFPddiXeM3fRy_ZcVpIs3be_EFLhea4ZEWjBMsRm5I', 'openid email', NULL, NULL, NULL, '2026-11-24 18:50:54.91+00', 'pwd', 'X0I_5iNHe4gxLpfYlSD5Hj9NoJU3UhJaTPkNJHng-TM', '1', NULL, NULL, NULL, 2, 'DGqBzVkSgJ5nwoKqN-yOn_648LfqYJdxwmlGijIrfSc', 'k4oICBQ_IyWGSJA-AQRgKvJ2FsO3mtRbeF4D1RyEvYs', '2026-12-08 18:50:56.613+00', '2027-02-22 18:50:55.82+00', 798);


--
-- Data for Name: removal; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: session; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.session VALUES ('01a20ee5-78cd-754f-bde0-ae23ecbf5344', '2026-12-01 18:50:49.42+00', '2026-11-24 18:50:49.42+00', '2026-11-24 18:50:49.42+00', '127.0.0.1', 'node', '01a20ee5-78c7-73f5-80a3-86ba1932e13e', 'Ial0O2GggFK-gaZAnWPTb8K9JbDEanV1iKF8huk_Y0E', '2026-11-24 18:50:49.42+00', '2026-11-24 18:50:49.42+00', false, 'pwd', 3);
INSERT INTO public.session VALUES ('01a20ee5-7a26-75f1-9b9b-105810783892', '2026-12-01 18:50:49.765+00', '2026-11-24 18:50:49.765+00', '2026-11-24 18:50:49.765+00', '127.0.0.1', 'node', '01a20ee5-7a25-74a5-8140-3c570f7382f3', 'KfOrx9uhhRsE7tdPha-8wktp98w2Q4Im-0qQmRO-Dfk', '2026-11-24 18:50:49.765+00', '2026-11-24 18:50:49.765+00', false, 'pwd', 29);
INSERT INTO public.session VALUES ('01a20ee5-7a40-7418-bf7c-1e716d204ef3', '2026-12-01 18:50:49.792+00', '2026-11-24 18:50:49.792+00', '2026-11-24 18:50:49.792+00', '127.0.0.1', 'node', '01a20ee5-7a3f-7162-9bbf-8691f8441e1d', 'dLG2faol3vC-kx7C8m7xw9BeKG0mgKWMfY6tURjEfHw', '2026-11-24 18:50:49.792+00', '2026-11-24 18:50:49.792+00', false, 'pwd', 45);
INSERT INTO public.session VALUES ('01a20ee5-7b8f-7435-9ea8-977f294ec677', '2026-12-01 18:50:50.126+00', '2026-11-24 18:50:50.126+00', '2026-11-24 18:50:50.126+00', '127.0.0.1', 'node', '01a20ee5-7b8d-7734-ae36-00af1f0b2957', 'FeqzJ6sPUHKzdQDPQTeL_afH3ZNL12r7r4IpCuLM5Is', '2026-11-24 18:50:50.126+00', '2026-11-24 18:50:50.126+00', false, 'pwd', 93);
INSERT INTO public.session VALUES ('01a20ee5-7bb9-7526-8e0c-f5a724aad8d4', '2026-12-01 18:50:50.169+00', '2026-11-24 18:50:50.169+00', '2026-11-24 18:50:50.169+00', '127.0.0.1', 'node', '01a20ee5-7bb9-7526-8e0c-f5a50574890f', 'bEe7i42ntnMB37bkTT6GrlCP_PhH0cslghKkhVipKhc', '2026-11-24 18:50:50.169+00', '2026-11-24 18:50:50.169+00', false, 'pwd', 116);
INSERT INTO public.session VALUES ('01a20ee5-7bcd-76de-8aff-f66419866c11', '2026-12-01 18:50:50.189+00', '2026-11-24 18:50:50.189+00', '2026-11-24 18:50:50.189+00', '127.0.0.1', 'node', '01a20ee5-7bcc-774f-bcb9-34312ebe1611', 'BSB-gqVclcwx37pM73a21EtjpkHuPWUY814mbT-HO-U', '2026-11-24 18:50:50.189+00', '2026-11-24 18:50:50.189+00', false, 'pwd', 133);
INSERT INTO public.session VALUES ('01a20ee5-7bef-750b-bfa4-cb3a6956ad41', '2026-12-01 18:50:50.223+00', '2026-11-24 18:50:50.223+00', '2026-11-24 18:50:50.223+00', '127.0.0.1', 'node', '01a20ee5-7bee-7340-b6d1-ef5f368de2ea', 'r5LlIA45nIkjLDgbMdMiVYPQ-VRIxYIorbLRm6a8vlc', '2026-11-24 18:50:50.223+00', '2026-11-24 18:50:50.223+00', false, 'pwd', 154);
INSERT INTO public.session VALUES ('01a20ee5-7cad-731c-b056-e877075c1ca0', '2026-12-01 18:50:50.413+00', '2026-11-24 18:50:50.413+00', '2026-11-24 18:50:50.413+00', '127.0.0.1', 'node', '01a20ee5-7cac-71b3-a7fc-3fd1a95eef5b', '8W10cEsA4VOq68O5cvBjY4Zpn0Autas7ll1dCyjLGAc', '2026-11-24 18:50:50.413+00', '2026-11-24 18:50:50.413+00', false, 'pwd', 199);
INSERT INTO public.session VALUES ('01a20ee5-7d43-70a0-832e-63c2c9bd170b', '2026-12-01 18:50:50.563+00', '2026-11-24 18:50:50.563+00', '2026-11-24 18:50:50.563+00', '127.0.0.1', 'node', '01a20ee5-7d42-7468-b423-f01883088662', '6__b7-gPr0NvpdrSChEo9geo5_DR94msAuNrP7ry6zQ', '2026-11-24 18:50:50.563+00', '2026-11-24 18:50:50.721+00', true, 'otp', 252);
INSERT INTO public.session VALUES ('01a20ee5-7e1b-723f-b05c-32d177b51d6c', '2026-12-01 18:50:50.779+00', '2026-11-24 18:50:50.779+00', '2026-11-24 18:50:50.779+00', '127.0.0.1', 'node', '01a20ee5-7d42-7468-b423-f01883088662', 'tpKpDZycTcVQgaBkF_4-LXrpiv3hLL5Cgcmgp0a5r4Y', '2026-11-24 18:50:50.779+00', '2026-11-24 18:50:50.779+00', true, 'pwd otp', 266);
INSERT INTO public.session VALUES ('01a20ee5-7e23-7240-a5ad-2123faf49465', '2026-12-01 18:50:50.787+00', '2026-11-24 18:50:50.787+00', '2026-11-24 18:50:50.787+00', '127.0.0.1', 'node', '01a20ee5-7e23-7240-a5ad-212113998e27', '6YHu8CXRAoC9fNNqu45rYOnknm_Ut7JI25Rpkq0rMGs', '2026-11-24 18:50:50.787+00', '2026-11-24 18:50:50.787+00', false, 'pwd', 275);
INSERT INTO public.session VALUES ('01a20ee5-7ea6-7351-9175-033d5531463c', '2026-12-01 18:50:50.917+00', '2026-11-24 18:50:50.917+00', '2026-11-24 18:50:50.917+00', '127.0.0.1', 'node', '01a20ee5-7ea5-7406-8535-b68ec23805c4', 'TFqcL4YBzAph1sdtcVROc57vKzTTmVLD5myD1927fDo', '2026-11-24 18:50:50.917+00', '2026-11-24 18:50:50.917+00', false, 'pwd', 302);
INSERT INTO public.session VALUES ('01a20ee5-842c-76a3-8220-b34fda55ab91', '2026-12-01 18:50:52.331+00', '2026-11-24 18:50:52.331+00', '2026-11-24 18:50:52.331+00', '127.0.0.1', 'node', '01a20ee5-8427-768f-8634-f48c038fe4e5', 'xmADH_VK1fjyO4SXfQ0-OVlLa87fQa7ggnrWBxgaFZ0', '2026-11-24 18:50:52.331+00', '2026-11-24 18:50:52.331+00', false, 'pwd', 344);
INSERT INTO public.session VALUES ('01a20ee5-844c-72a7-bf86-d26959bba3cf', '2026-12-01 18:50:52.364+00', '2026-11-24 18:50:52.364+00', '2026-11-24 18:50:52.364+00', '127.0.0.1', 'node', '01a20ee5-8447-706e-a46c-1027fec44718', 'CO9I53TkAjABrJU_8hNf1vgeTrI2nvJLwlrNSJLiG7I', '2026-11-24 18:50:52.364+00', '2026-11-24 18:50:52.364+00', false, 'pwd', 359);
INSERT INTO public.session VALUES ('01a20ee5-852c-7370-8cb3-fc2389aee182', '2026-12-01 18:50:52.587+00', '2026-11-24 18:50:52.587+00', '2026-11-24 18:50:52.587+00', '127.0.0.1', 'node', '01a20ee5-8528-7091-b7fe-4d55775a6d90', 'HSvUpxgyLYogdccrnsyxd22mQE1qfMx1mCPS3dRqMeo', '2026-11-24 18:50:52.587+00', '2026-11-24 18:50:52.587+00', false, NULL, 375);
INSERT INTO public.session VALUES ('01a20ee5-86c9-7544-84e9-06fac31d60ad', '2026-12-01 18:50:53.001+00', '2026-11-24 18:50:53.001+00', '2026-11-24 18:50:53.001+00', '127.0.0.1', 'node', '01a20ee5-86b4-718b-94d1-83dfd0760577', '3gAeiWMp6OzzL6xkUAPideULHVzDnISZbJD8VI7Ka_I', '2026-11-24 18:50:53.001+00', '2026-11-24 18:50:53.001+00', false, 'pop', 392);
INSERT INTO public.session VALUES ('01a20ee5-86f6-7634-aec5-22fd8a326536', '2026-12-01 18:50:53.046+00', '2026-11-24 18:50:53.046+00', '2026-11-24 18:50:53.046+00', '127.0.0.1', 'node', '01a20ee5-86f3-7092-b64b-9c035bf9f8e2', 'pYBW94K0FQkz9eByEAfyHB5eu8ZlwmNcpwU-zAVnPbM', '2026-11-24 18:50:53.046+00', '2026-11-24 18:50:53.046+00', false, 'pwd', 407);
INSERT INTO public.session VALUES ('01a20ee5-8768-72ba-a73d-398e21d1c2da', '2026-12-01 18:50:53.16+00', '2026-11-24 18:50:53.16+00', '2026-11-24 18:50:53.16+00', '127.0.0.1', 'node', '01a20ee5-8767-764c-8900-6a29f8010c6a', 'KxBqeb9Rh4lZw0WxkpIKyXtTpcsTcgAXCqY4dJIdtUs', '2026-11-24 18:50:53.16+00', '2026-11-24 18:50:53.16+00', false, 'pwd', 425);
INSERT INTO public.session VALUES ('01a20ee5-886b-766d-9872-8b677ebf00ce', '2026-12-01 18:50:53.418+00', '2026-11-24 18:50:53.418+00', '2026-11-24 18:50:53.418+00', '127.0.0.1', 'node', '01a20ee5-8857-756b-b3ae-49396ab054e2', '2RBybl6hqFC7_ITyLUqKDRafTdumr9lntvBahI9RZ9Q', '2026-11-24 18:50:53.418+00', '2026-11-24 18:50:53.418+00', false, 'pwd', 461);
INSERT INTO public.session VALUES ('01a20ee5-89aa-73ac-857c-c6883da49ab3', '2026-12-01 18:50:53.738+00', '2026-11-24 18:50:53.738+00', '2026-11-24 18:50:53.738+00', '127.0.0.1', 'node', '01a20ee5-89a7-7199-a2d2-13396994b93b', 'gV104tfTR84uk7grRIon-037JxWndXmWJ3eMrhmsc_U', '2026-11-24 18:50:53.738+00', '2026-11-24 18:50:53.738+00', false, 'pwd', 501);
INSERT INTO public.session VALUES ('01a20ee5-8cd7-7377-b548-aa6499843a1f', '2026-12-01 18:50:54.551+00', '2026-11-24 18:50:54.551+00', '2026-11-24 18:50:54.551+00', '127.0.0.1', 'node', '01a20ee5-8b1f-755e-8ca2-e096289cbc6e', 'iEowe-2GB9Km2xizDqmX9dEdE1RiXGWhSu4eEGJjOPY', '2026-11-24 18:50:54.551+00', '2026-11-24 18:50:54.551+00', false, 'pwd', 601);
INSERT INTO public.session VALUES ('01a20ee5-8d24-75e8-a56d-0ed5c8ee0bb0', '2026-12-01 18:50:54.628+00', '2026-11-24 18:50:54.628+00', '2026-11-24 18:50:54.628+00', '127.0.0.1', 'node', '01a20ee5-8d1b-7138-bc8b-42c824f2d6c6', 'UlTftZUJCvCXmmKrujmRmzQG99zx9GtyYQ4rA0e9paU', '2026-11-24 18:50:54.628+00', '2026-11-24 18:50:54.628+00', false, 'pwd', 625);
INSERT INTO public.session VALUES ('01a20ee5-8e3e-709b-9b9b-cee401b3b4c5', '2026-12-01 18:50:54.91+00', '2026-11-24 18:50:54.91+00', '2026-11-24 18:50:54.91+00', '127.0.0.1', 'node', '01a20ee5-8e34-77a6-8850-415598f280cb', 'oOr-9uiT9qEDpaTbXj-FoRxbXp1kq6iU3sU0VOK6SBI', '2026-11-24 18:50:54.91+00', '2026-11-24 18:50:54.91+00', false, 'pwd', 687);
INSERT INTO public.session VALUES ('01a20ee5-93e4-7766-a925-fde06dca0733', '2026-12-01 18:50:56.356+00', '2026-11-24 18:50:56.356+00', '2026-11-24 18:50:56.356+00', '127.0.0.1', 'node', '01a20ee5-8b1f-755e-8ca2-e096289cbc6e', 'hZCJX1YYkdT4tmaUOol8cf8XvVW1e2slkekTdvVxzmE', '2026-11-24 18:50:56.356+00', '2026-11-24 18:50:56.356+00', false, 'pwd', 758);
INSERT INTO public.session VALUES ('01a20ee5-942e-772a-b6cb-b61fe8401c87', '2026-12-01 18:50:56.429+00', '2026-11-24 18:50:56.429+00', '2026-11-24 18:50:56.429+00', '127.0.0.1', 'node', '01a20ee5-942d-772b-87cb-2f0bd3e6486a', 'NM_nL2XjG7WLGR2A5cCrroGKfKaZuIqAuDbtLpRlcpQ', '2026-11-24 18:50:56.429+00', '2026-11-24 18:50:56.429+00', false, 'pwd', 774);
INSERT INTO public.session VALUES ('01a20ee5-9557-708f-b638-dbf01912a254', '2026-12-01 18:50:56.727+00', '2026-11-24 18:50:56.727+00', '2026-11-24 18:50:56.727+00', '127.0.0.1', 'node', '01a20ee5-8b1f-755e-8ca2-e096289cbc6e', 'ksQApLKumj20qm8l8xbLyil_0GRK5WLz4x-iQ2OWPhI', '2026-11-24 18:50:56.727+00', '2026-11-24 18:50:56.727+00', false, 'pwd', 824);


--
-- Data for Name: siwe_nonce; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.siwe_nonce VALUES ('yOnrDTHhy2o7dwPGTD-mcPR0nZ6ID1K_VlzeEpfYbL8', '2026-11-24 19:00:53.072+00', 420);


--
-- Data for Name: team; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.team VALUES ('01a20ee5-8adc-700b-8bbf-a89d484b6c44', '01a20ee5-8840-77fb-ba4e-0468a99726d7', 'Looms', '2026-11-24 18:50:54.044+00', 546);


--
-- Data for Name: team_member; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.team_member VALUES ('01a20ee5-8b05-70a1-b359-9b78e57d88e5', '01a20ee5-8adc-700b-8bbf-a89d484b6c44', '01a20ee5-8aaa-75da-ae01-402271d60172', '01a20ee5-89a7-7199-a2d2-13396994b93b', 550);


--
-- Data for Name: two_factor; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.two_factor VALUES ('01a20ee5-7d42-7468-b423-f01883088662', '!JwcLdiTO!jKI10625bZl-BTQ_UoNcJdJ4QERl36ujwVGhx21BdGyzyW8ADrJghBqhuAV0J7emnVzHCp5UyQ', '["app:0X7zkhQF4h3qui8EjYaCvU-e1oRbZoLAXtgFN5lzHco", "app:V-inmXYQF3o0Nm-XXSNI9f70-mJhcb98Z8B_AWIS3-w", "app:gY2V5seohkm3pZV-X1X-llu4OR0uGkLtYeTkLFOFudY", "app:ygFm1UUgYfZPqo_frIhU4UQIdY2Ah8aThcTuMCVL52c", "app:0P8oMB1j2XwGJbPJqEG0VOAwH_RkYX-i4k5j4T32axg", "app:HIOmgbVfXeetOSULJNaG2uD6cWi0V7HcGehVt-6UMTU", "app:FvlBj-FDEF-CiFY8pBA-BqMG_DVKa0fERBpiJ3FrXl4", "app:2b9w3VN-DMF3Ck9BFmrh90OBQET0lHSrZac5yonKvPY", "app:NAs3-TqBqUgZDsHobpuD94f3SdXtdPaY-_796Z2emyc"]', '[59851541]', 0, NULL, '2026-11-24 18:50:50.719+00', '2026-11-24 18:50:50.708+00', '2026-11-24 18:50:50.719+00', 265);
INSERT INTO public.two_factor VALUES ('01a20ee5-7e23-7240-a5ad-212113998e27', '!JwcLdiTO!z2jGx4BkqxrmdiTMNL3OX9ew2AjOr5xUPtXNPfJQ6W53Q8zmjo6k01vP2HE_HNaCvikWJKobuQ', '["app:YhIbmO96LoOxOW0Gi7q0QXDTnRAWrmzsz4Yk2GUDCaA", "app:ex061O5-npsILemRNNXxRodbx1gS5qYir8EUd9wG5gM", "app:GXHEWBuamVUYXfTsUHtpI86C9FER7ruOG27G1ETOZWw", "app:qPNDRvgmes99XyzowFfWLkQi9bai0PrLsKU_3Z26Cus", "app:sEVBBooDmBOyZNBiugaKJeuYqwqdMfrQUmufeze2ciE", "app:1LT1xHgCm9yfDppTFZDg7uTtiRNRH4AWdAL34VM_n44", "app:cQt_4RItwlw1Spek1WsF9gS8b7OA_Bi73JSsKHU1Rqg", "app:H6YqWdz01OfzMZKoQG3zy33Rnn3XdhgoOkLRTw27mdM", "app:kmfdCMjglkqP_DoB3l9gOMFeqNK3x--8mWvt7YkrPKE", "app:gF58Sdxn56qnXBbWIFI4gfN4fKD76mMeS4AJoXFFs34"]', '[]', 0, NULL, NULL, '2026-11-24 18:50:50.913+00', '2026-11-24 18:50:50.913+00', 299);


--
-- Data for Name: used_assertion; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: user; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public."user" VALUES ('01a20ee5-78c7-73f5-80a3-86ba1932e13e', 'ada@example.com', true, 'ada', NULL, NULL, '2026-11-24 18:50:49.415+00', '2026-11-24 18:50:49.71+00', NULL, NULL, 'ada', 19);
INSERT INTO public."user" VALUES ('01a20ee5-7a25-74a5-8140-3c570f7382f3', 'heidi@example.com', false, 'heidi', NULL, NULL, '2026-11-24 18:50:49.765+00', '2026-11-24 18:50:49.765+00', NULL, NULL, 'heidi', 27);
INSERT INTO public."user" VALUES ('01a20ee5-7a3f-7162-9bbf-8691f8441e1d', 'lena@example.com', false, 'Lena L.', 'https://example.com/lena.png', 'de', '2026-11-24 18:50:49.791+00', '2026-11-24 18:50:49.808+00', NULL, NULL, 'lena l.', 58);
INSERT INTO public."user" VALUES ('01a20ee5-7b8d-7734-ae36-00af1f0b2957', 'mike@example.com', false, 'mike', NULL, NULL, '2026-11-24 18:50:50.125+00', '2026-11-24 18:50:50.125+00', NULL, NULL, 'mike', 108);
INSERT INTO public."user" VALUES ('01a20ee5-7bb9-7526-8e0c-f5a50574890f', 'carol@example.com', false, 'carol', NULL, NULL, '2026-11-24 18:50:50.169+00', '2026-11-24 18:50:50.169+00', NULL, NULL, 'carol', 114);
INSERT INTO public."user" VALUES ('01a20ee5-7bcc-774f-bcb9-34312ebe1611', 'dan@example.com', false, 'dan', NULL, NULL, '2026-11-24 18:50:50.188+00', '2026-11-24 18:50:50.188+00', NULL, NULL, 'dan', 131);
INSERT INTO public."user" VALUES ('01a20ee5-7bee-7340-b6d1-ef5f368de2ea', 'nina.new@example.com', false, 'nina', NULL, NULL, '2026-11-24 18:50:50.222+00', '2026-11-24 18:50:50.354+00', 'nina@example.com', '2026-11-24 18:50:50.354+00', 'nina', 179);
INSERT INTO public."user" VALUES ('01a20ee5-7cac-71b3-a7fc-3fd1a95eef5b', 'oscar@example.com', false, 'oscar', NULL, NULL, '2026-11-24 18:50:50.412+00', '2026-11-24 18:50:50.412+00', NULL, NULL, 'oscar', 216);
INSERT INTO public."user" VALUES ('01a20ee5-7d42-7468-b423-f01883088662', 'bob@example.com', true, 'bob', NULL, NULL, '2026-11-24 18:50:50.562+00', '2026-11-24 18:50:50.681+00', NULL, NULL, 'bob', 251);
INSERT INTO public."user" VALUES ('01a20ee5-7e23-7240-a5ad-212113998e27', 'paula@example.com', true, 'paula', NULL, NULL, '2026-11-24 18:50:50.787+00', '2026-11-24 18:50:50.901+00', NULL, NULL, 'paula', 291);
INSERT INTO public."user" VALUES ('01a20ee5-7ea5-7406-8535-b68ec23805c4', 'quinn@example.com', true, 'quinn', NULL, NULL, '2026-11-24 18:50:50.917+00', '2026-11-24 18:50:51.032+00', NULL, NULL, 'quinn', 328);
INSERT INTO public."user" VALUES ('01a20ee5-8427-768f-8634-f48c038fe4e5', 'rita@example.com', false, 'rita', NULL, NULL, '2026-11-24 18:50:52.327+00', '2026-11-24 18:50:52.327+00', NULL, NULL, 'rita', 342);
INSERT INTO public."user" VALUES ('01a20ee5-8447-706e-a46c-1027fec44718', 'sam@example.com', false, 'sam', NULL, NULL, '2026-11-24 18:50:52.359+00', '2026-11-24 18:50:52.359+00', NULL, NULL, 'sam', 357);
INSERT INTO public."user" VALUES ('01a20ee5-8528-7091-b7fe-4d55775a6d90', 'olivia@elsewhere.example', true, 'olivia', NULL, NULL, '2026-11-24 18:50:52.584+00', '2026-11-24 18:50:52.584+00', NULL, NULL, 'olivia', 373);
INSERT INTO public."user" VALUES ('01a20ee5-86b4-718b-94d1-83dfd0760577', '0x5d5c99edf529335160ff180fa141dd4967fc00d2@siwe.local', false, NULL, NULL, NULL, '2026-11-24 18:50:52.98+00', '2026-11-24 18:50:52.98+00', NULL, NULL, NULL, 390);
INSERT INTO public."user" VALUES ('01a20ee5-86f3-7092-b64b-9c035bf9f8e2', 'tina@example.com', false, 'tina', NULL, NULL, '2026-11-24 18:50:53.043+00', '2026-11-24 18:50:53.043+00', NULL, NULL, 'tina', 405);
INSERT INTO public."user" VALUES ('01a20ee5-8857-756b-b3ae-49396ab054e2', 'ivan@example.com', true, 'ivan', NULL, NULL, '2026-11-24 18:50:53.399+00', '2026-11-24 18:50:53.571+00', NULL, NULL, 'ivan', 477);
INSERT INTO public."user" VALUES ('01a20ee5-8767-764c-8900-6a29f8010c6a', 'olga@example.com', true, 'olga', NULL, NULL, '2026-11-24 18:50:53.159+00', '2026-11-24 18:50:53.325+00', NULL, NULL, 'olga', 535);
INSERT INTO public."user" VALUES ('01a20ee5-89a7-7199-a2d2-13396994b93b', 'uma@example.com', true, 'uma', NULL, NULL, '2026-11-24 18:50:53.735+00', '2026-11-24 18:50:53.902+00', NULL, NULL, 'uma', 536);
INSERT INTO public."user" VALUES ('01a20ee5-8b1f-755e-8ca2-e096289cbc6e', 'root@example.com', true, 'root', NULL, NULL, '2026-11-24 18:50:54.111+00', '2026-11-24 18:50:54.496+00', NULL, NULL, 'root', 593);
INSERT INTO public."user" VALUES ('01a20ee5-8d1b-7138-bc8b-42c824f2d6c6', 'wendy@example.com', false, 'wendy', NULL, NULL, '2026-11-24 18:50:54.619+00', '2026-11-24 18:50:54.619+00', NULL, NULL, 'wendy', 623);
INSERT INTO public."user" VALUES ('01a20ee5-8cf7-71e0-9a30-a0894411fca2', 'victor@example.com', false, 'victor', NULL, NULL, '2026-11-24 18:50:54.583+00', '2026-11-24 18:50:54.583+00', NULL, NULL, 'victor', 638);
INSERT INTO public."user" VALUES ('01a20ee5-8d7d-7111-ae1f-58e9a08b6a70', 'yves@example.com', false, 'yves', NULL, NULL, '2026-11-24 18:50:54.717+00', '2026-11-24 18:50:54.717+00', NULL, NULL, 'yves', 661);
INSERT INTO public."user" VALUES ('01a20ee5-8de3-73ae-b328-9a5f730b5164', 'made@example.com', false, 'Made', NULL, NULL, '2026-11-24 18:50:54.819+00', '2026-11-24 18:50:54.819+00', NULL, NULL, 'made', 673);
INSERT INTO public."user" VALUES ('01a20ee5-8e34-77a6-8850-415598f280cb', 'grace@example.com', true, 'grace', NULL, NULL, '2026-11-24 18:50:54.9+00', '2026-11-24 18:50:56.001+00', NULL, NULL, 'grace', 736);
INSERT INTO public."user" VALUES ('01a20ee5-942d-772b-87cb-2f0bd3e6486a', 'hugo@example.com', true, 'hugo', NULL, NULL, '2026-11-24 18:50:56.429+00', '2026-11-24 18:50:56.567+00', NULL, NULL, 'hugo', 790);
INSERT INTO public."user" VALUES ('01a20ee5-954a-733f-b75f-18ef0763dfd0', 'xena@example.com', false, 'xena', NULL, NULL, '2026-11-24 18:50:56.714+00', '2026-11-24 18:50:56.714+00', NULL, NULL, 'xena', 831);


--
-- Data for Name: username; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.username VALUES ('01a20ee5-7a38-70bd-940b-4732400bc5ba', '01a20ee5-7a25-74a5-8140-3c570f7382f3', 'heidi', 'heidi', '2026-11-24 18:50:49.784+00', '2026-11-24 18:50:49.784+00', 42);


--
-- Data for Name: webhook; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.webhook VALUES ('01a20ee5-8df5-7372-b32d-a115a53c14a0', 'https://hooks.example.com/', '["organization.created"]', '!JwcLdiTO!lTesWaiLq2dI7VAYRidAJqjZkICL3II3Ad-h9oNotBV1P_T1P7ocJ-x0CqjxkytRgYK2Lq__tdfhzCLv_W_RaoLHWR4Tn_MVETQMTYRXZW1--w', '2026-11-24 18:50:54.837+00', '2026-11-24 18:50:54.837+00', 681);


--
-- Data for Name: webhook_dead; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: webhook_delivery; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.webhook_delivery VALUES ('01a20ee5-9579-711f-a8a1-36d36c1d1d3e:receiver', 'receiver', '01a20ee5-9579-711f-a8a1-36d36c1d1d3e', 'user.banned', 'user:01a20ee5-954a-733f-b75f-18ef0763dfd0', '{"type":"user.banned","timestamp":"2026-11-24T18:50:56.761Z","data":{"id":"01a20ee5-9579-711f-a8a1-36d36c1d1d3e","outcome":"success","reason":null,"actor":{"kind":"admin","id":"01a20ee5-8b1f-755e-8ca2-e096289cbc6e"},"session_id":"01a20ee5-9557-708f-b638-dbf01912a254","subject":{"kind":"user","id":"01a20ee5-954a-733f-b75f-18ef0763dfd0"},"organization_id":null,"client_id":null,"count":1,"data":{"operation":"adminBanUser","method":"admin"}}}', 1, '2026-11-24 18:50:56.823+00', '2026-11-24 18:51:02.841+00', 'ECONNREFUSED', 846);
INSERT INTO public.webhook_delivery VALUES ('01a20ee5-8d67-71ec-8212-730a6ad8295e:receiver', 'receiver', '01a20ee5-8d67-71ec-8212-730a6ad8295e', 'user.banned', 'user:01a20ee5-8cf7-71e0-9a30-a0894411fca2', '{"type":"user.banned","timestamp":"2026-11-24T18:50:54.695Z","data":{"id":"01a20ee5-8d67-71ec-8212-730a6ad8295e","outcome":"success","reason":null,"actor":{"kind":"admin","id":"01a20ee5-8b1f-755e-8ca2-e096289cbc6e"},"session_id":"01a20ee5-8cd7-7377-b548-aa6499843a1f","subject":{"kind":"user","id":"01a20ee5-8cf7-71e0-9a30-a0894411fca2"},"organization_id":null,"client_id":null,"count":1,"data":{"operation":"adminBanUser","method":"admin"}}}', 2, '2026-11-24 18:50:55.544+00', '2026-11-24 18:55:07.885+00', 'ECONNREFUSED', 851);
INSERT INTO public.webhook_delivery VALUES ('01a20ee5-8dad-7559-b4b4-d5dc5c9ab21d:receiver', 'receiver', '01a20ee5-8dad-7559-b4b4-d5dc5c9ab21d', 'user.banned', 'user:01a20ee5-8d7d-7111-ae1f-58e9a08b6a70', '{"type":"user.banned","timestamp":"2026-11-24T18:50:54.765Z","data":{"id":"01a20ee5-8dad-7559-b4b4-d5dc5c9ab21d","outcome":"success","reason":null,"actor":{"kind":"admin","id":"01a20ee5-8b1f-755e-8ca2-e096289cbc6e"},"session_id":"01a20ee5-8cd7-7377-b548-aa6499843a1f","subject":{"kind":"user","id":"01a20ee5-8d7d-7111-ae1f-58e9a08b6a70"},"organization_id":null,"client_id":null,"count":1,"data":{"operation":"adminBanUser","method":"admin","until":"2026-11-24T18:51:04.751Z"}}}', 2, '2026-11-24 18:50:55.544+00', '2026-11-24 18:56:04.885+00', 'ECONNREFUSED', 852);


--
-- Data for Name: webhook_state; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.webhook_state VALUES ('receiver', '2026-11-24 18:50:55.789+00', NULL, 'ECONNREFUSED', 724);


--
-- Name: sallyport_revision; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.sallyport_revision', 852, true);


--
-- Name: access_token access_token__pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.access_token
    ADD CONSTRAINT access_token__pkey PRIMARY KEY (hash);


--
-- Name: account account__pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.account
    ADD CONSTRAINT account__pkey PRIMARY KEY (id);


--
-- Name: active_organization active_organization__pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.active_organization
    ADD CONSTRAINT active_organization__pkey PRIMARY KEY (user_id);


--
-- Name: admin_metadata admin_metadata__pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.admin_metadata
    ADD CONSTRAINT admin_metadata__pkey PRIMARY KEY (user_id);


--
-- Name: audit_chain audit_chain__pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.audit_chain
    ADD CONSTRAINT audit_chain__pkey PRIMARY KEY (id);


--
-- Name: audit_day audit_day__pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.audit_day
    ADD CONSTRAINT audit_day__pkey PRIMARY KEY (day);


--
-- Name: audit_erasure audit_erasure__pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.audit_erasure
    ADD CONSTRAINT audit_erasure__pkey PRIMARY KEY (user_id);


--
-- Name: audit_record audit_record__pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.audit_record
    ADD CONSTRAINT audit_record__pkey PRIMARY KEY (id);


--
-- Name: audit_seal audit_seal__pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.audit_seal
    ADD CONSTRAINT audit_seal__pkey PRIMARY KEY (id);


--
-- Name: audit_unsealed audit_unsealed__pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.audit_unsealed
    ADD CONSTRAINT audit_unsealed__pkey PRIMARY KEY (id);


--
-- Name: authorization_code authorization_code__pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.authorization_code
    ADD CONSTRAINT authorization_code__pkey PRIMARY KEY (hash);


--
-- Name: authorization_request authorization_request__pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.authorization_request
    ADD CONSTRAINT authorization_request__pkey PRIMARY KEY (hash);


--
-- Name: client_session client_session__pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.client_session
    ADD CONSTRAINT client_session__pkey PRIMARY KEY (sid);


--
-- Name: consent consent__pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.consent
    ADD CONSTRAINT consent__pkey PRIMARY KEY (id);


--
-- Name: device_code device_code__pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.device_code
    ADD CONSTRAINT device_code__pkey PRIMARY KEY (hash);


--
-- Name: email_code email_code__pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.email_code
    ADD CONSTRAINT email_code__pkey PRIMARY KEY (recipient);


--
-- Name: email_step_up_code email_step_up_code__pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.email_step_up_code
    ADD CONSTRAINT email_step_up_code__pkey PRIMARY KEY (recipient);


--
-- Name: event event__pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.event
    ADD CONSTRAINT event__pkey PRIMARY KEY (id);


--
-- Name: event_distribution event_distribution__pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.event_distribution
    ADD CONSTRAINT event_distribution__pkey PRIMARY KEY (id);


--
-- Name: held_up_sign_in held_up_sign_in__pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.held_up_sign_in
    ADD CONSTRAINT held_up_sign_in__pkey PRIMARY KEY (hash);


--
-- Name: id_token_nonce id_token_nonce__pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.id_token_nonce
    ADD CONSTRAINT id_token_nonce__pkey PRIMARY KEY (hash);


--
-- Name: idp_key idp_key__pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.idp_key
    ADD CONSTRAINT idp_key__pkey PRIMARY KEY (kid);


--
-- Name: import_record import_record__pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.import_record
    ADD CONSTRAINT import_record__pkey PRIMARY KEY (key);


--
-- Name: import_run import_run__pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.import_run
    ADD CONSTRAINT import_run__pkey PRIMARY KEY (id);


--
-- Name: invitation invitation__pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.invitation
    ADD CONSTRAINT invitation__pkey PRIMARY KEY (reference);


--
-- Name: logout_request logout_request__pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.logout_request
    ADD CONSTRAINT logout_request__pkey PRIMARY KEY (hash);


--
-- Name: magic_link magic_link__pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.magic_link
    ADD CONSTRAINT magic_link__pkey PRIMARY KEY (email);


--
-- Name: mailed_token mailed_token__pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.mailed_token
    ADD CONSTRAINT mailed_token__pkey PRIMARY KEY (hash);


--
-- Name: member member__pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.member
    ADD CONSTRAINT member__pkey PRIMARY KEY (id);


--
-- Name: oauth_client oauth_client__pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.oauth_client
    ADD CONSTRAINT oauth_client__pkey PRIMARY KEY (client_id);


--
-- Name: oauth_state oauth_state__pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.oauth_state
    ADD CONSTRAINT oauth_state__pkey PRIMARY KEY (hash);


--
-- Name: one_time_token one_time_token__pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.one_time_token
    ADD CONSTRAINT one_time_token__pkey PRIMARY KEY (hash);


--
-- Name: organization organization__pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.organization
    ADD CONSTRAINT organization__pkey PRIMARY KEY (id);


--
-- Name: outbox outbox__pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.outbox
    ADD CONSTRAINT outbox__pkey PRIMARY KEY (id);


--
-- Name: outbox_dead outbox_dead__pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.outbox_dead
    ADD CONSTRAINT outbox_dead__pkey PRIMARY KEY (id);


--
-- Name: pairwise_subject pairwise_subject__pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.pairwise_subject
    ADD CONSTRAINT pairwise_subject__pkey PRIMARY KEY (sub);


--
-- Name: passkey passkey__pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.passkey
    ADD CONSTRAINT passkey__pkey PRIMARY KEY (id);


--
-- Name: passkey_challenge passkey_challenge__pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.passkey_challenge
    ADD CONSTRAINT passkey_challenge__pkey PRIMARY KEY (hash);


--
-- Name: phone_code phone_code__pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.phone_code
    ADD CONSTRAINT phone_code__pkey PRIMARY KEY (recipient);


--
-- Name: profile profile__pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.profile
    ADD CONSTRAINT profile__pkey PRIMARY KEY (user_id);


--
-- Name: provider_token provider_token__pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.provider_token
    ADD CONSTRAINT provider_token__pkey PRIMARY KEY (account);


--
-- Name: rate_limit rate_limit__pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.rate_limit
    ADD CONSTRAINT rate_limit__pkey PRIMARY KEY (key);


--
-- Name: refresh_answer refresh_answer__pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.refresh_answer
    ADD CONSTRAINT refresh_answer__pkey PRIMARY KEY (family_id);


--
-- Name: refresh_family refresh_family__pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.refresh_family
    ADD CONSTRAINT refresh_family__pkey PRIMARY KEY (id);


--
-- Name: removal removal__pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.removal
    ADD CONSTRAINT removal__pkey PRIMARY KEY (id);


--
-- Name: session session__pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.session
    ADD CONSTRAINT session__pkey PRIMARY KEY (id);


--
-- Name: siwe_nonce siwe_nonce__pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.siwe_nonce
    ADD CONSTRAINT siwe_nonce__pkey PRIMARY KEY (hash);


--
-- Name: team team__pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.team
    ADD CONSTRAINT team__pkey PRIMARY KEY (id);


--
-- Name: team_member team_member__pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.team_member
    ADD CONSTRAINT team_member__pkey PRIMARY KEY (id);


--
-- Name: two_factor two_factor__pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.two_factor
    ADD CONSTRAINT two_factor__pkey PRIMARY KEY (user_id);


--
-- Name: used_assertion used_assertion__pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.used_assertion
    ADD CONSTRAINT used_assertion__pkey PRIMARY KEY (hash);


--
-- Name: user user__pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public."user"
    ADD CONSTRAINT user__pkey PRIMARY KEY (id);


--
-- Name: username username__pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.username
    ADD CONSTRAINT username__pkey PRIMARY KEY (id);


--
-- Name: webhook webhook__pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.webhook
    ADD CONSTRAINT webhook__pkey PRIMARY KEY (id);


--
-- Name: webhook_dead webhook_dead__pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.webhook_dead
    ADD CONSTRAINT webhook_dead__pkey PRIMARY KEY (id);


--
-- Name: webhook_delivery webhook_delivery__pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.webhook_delivery
    ADD CONSTRAINT webhook_delivery__pkey PRIMARY KEY (id);


--
-- Name: webhook_state webhook_state__pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.webhook_state
    ADD CONSTRAINT webhook_state__pkey PRIMARY KEY (id);


--
-- Name: access_token__code_hash__key; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX access_token__code_hash__key ON public.access_token USING btree (code_hash);


--
-- Name: access_token__consent_id__idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX access_token__consent_id__idx ON public.access_token USING btree (consent_id);


--
-- Name: access_token__expires_at__idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX access_token__expires_at__idx ON public.access_token USING btree (expires_at);


--
-- Name: access_token__family_id__idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX access_token__family_id__idx ON public.access_token USING btree (family_id);


--
-- Name: access_token__session_id__idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX access_token__session_id__idx ON public.access_token USING btree (session_id);


--
-- Name: access_token__user_id__idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX access_token__user_id__idx ON public.access_token USING btree (user_id);


--
-- Name: account__provider_id__account_id__key; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX account__provider_id__account_id__key ON public.account USING btree (provider_id, account_id);


--
-- Name: account__user_id__idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX account__user_id__idx ON public.account USING btree (user_id);


--
-- Name: active_organization__member_id__idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX active_organization__member_id__idx ON public.active_organization USING btree (member_id);


--
-- Name: active_organization__organization_id__idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX active_organization__organization_id__idx ON public.active_organization USING btree (organization_id);


--
-- Name: audit_record__actor_id__id__idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX audit_record__actor_id__id__idx ON public.audit_record USING btree (actor_id, id);


--
-- Name: audit_record__expires_at__idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX audit_record__expires_at__idx ON public.audit_record USING btree (expires_at);


--
-- Name: audit_record__organization_id__id__idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX audit_record__organization_id__id__idx ON public.audit_record USING btree (organization_id, id);


--
-- Name: audit_record__subject_id__id__idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX audit_record__subject_id__id__idx ON public.audit_record USING btree (subject_id, id);


--
-- Name: audit_record__type__id__idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX audit_record__type__id__idx ON public.audit_record USING btree (type, id);


--
-- Name: audit_seal__expires_at__idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX audit_seal__expires_at__idx ON public.audit_seal USING btree (expires_at);


--
-- Name: authorization_code__consent_id__idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX authorization_code__consent_id__idx ON public.authorization_code USING btree (consent_id);


--
-- Name: authorization_code__expires_at__idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX authorization_code__expires_at__idx ON public.authorization_code USING btree (expires_at);


--
-- Name: authorization_code__session_id__idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX authorization_code__session_id__idx ON public.authorization_code USING btree (session_id);


--
-- Name: authorization_request__expires_at__idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX authorization_request__expires_at__idx ON public.authorization_request USING btree (expires_at);


--
-- Name: client_session__expires_at__idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX client_session__expires_at__idx ON public.client_session USING btree (expires_at);


--
-- Name: client_session__session_id__idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX client_session__session_id__idx ON public.client_session USING btree (session_id);


--
-- Name: client_session__user_id__idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX client_session__user_id__idx ON public.client_session USING btree (user_id);


--
-- Name: consent__user_id__client_id__key; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX consent__user_id__client_id__key ON public.consent USING btree (user_id, client_id);


--
-- Name: device_code__consent_id__idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX device_code__consent_id__idx ON public.device_code USING btree (consent_id);


--
-- Name: device_code__expires_at__idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX device_code__expires_at__idx ON public.device_code USING btree (expires_at);


--
-- Name: device_code__session_id__idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX device_code__session_id__idx ON public.device_code USING btree (session_id);


--
-- Name: device_code__user_code_hash__key; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX device_code__user_code_hash__key ON public.device_code USING btree (user_code_hash);


--
-- Name: email_code__expires_at__idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX email_code__expires_at__idx ON public.email_code USING btree (expires_at);


--
-- Name: email_step_up_code__expires_at__idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX email_step_up_code__expires_at__idx ON public.email_step_up_code USING btree (expires_at);


--
-- Name: held_up_sign_in__expires_at__idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX held_up_sign_in__expires_at__idx ON public.held_up_sign_in USING btree (expires_at);


--
-- Name: held_up_sign_in__user_id__idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX held_up_sign_in__user_id__idx ON public.held_up_sign_in USING btree (user_id);


--
-- Name: id_token_nonce__expires_at__idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX id_token_nonce__expires_at__idx ON public.id_token_nonce USING btree (expires_at);


--
-- Name: idp_key__alg__generation__key; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX idp_key__alg__generation__key ON public.idp_key USING btree (alg, generation);


--
-- Name: idp_key__sealed_jwk__idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX idp_key__sealed_jwk__idx ON public.idp_key USING btree (sealed_jwk);


--
-- Name: import_record__run_id__key__idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX import_record__run_id__key__idx ON public.import_record USING btree (run_id, key);


--
-- Name: import_record__user_id__idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX import_record__user_id__idx ON public.import_record USING btree (user_id);


--
-- Name: invitation__expires_at__idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX invitation__expires_at__idx ON public.invitation USING btree (expires_at);


--
-- Name: invitation__id__key; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX invitation__id__key ON public.invitation USING btree (id);


--
-- Name: invitation__inviter_id__idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX invitation__inviter_id__idx ON public.invitation USING btree (inviter_id);


--
-- Name: invitation__organization_id__email__status__reference__idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX invitation__organization_id__email__status__reference__idx ON public.invitation USING btree (organization_id, email, status, reference);


--
-- Name: invitation__organization_id__status__reference__idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX invitation__organization_id__status__reference__idx ON public.invitation USING btree (organization_id, status, reference);


--
-- Name: logout_request__expires_at__idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX logout_request__expires_at__idx ON public.logout_request USING btree (expires_at);


--
-- Name: magic_link__expires_at__idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX magic_link__expires_at__idx ON public.magic_link USING btree (expires_at);


--
-- Name: magic_link__hash__key; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX magic_link__hash__key ON public.magic_link USING btree (hash);


--
-- Name: mailed_token__expires_at__idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX mailed_token__expires_at__idx ON public.mailed_token USING btree (expires_at);


--
-- Name: mailed_token__user_id__idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX mailed_token__user_id__idx ON public.mailed_token USING btree (user_id);


--
-- Name: member__organization_id__id__idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX member__organization_id__id__idx ON public.member USING btree (organization_id, id);


--
-- Name: member__organization_id__role__id__idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX member__organization_id__role__id__idx ON public.member USING btree (organization_id, role, id);


--
-- Name: member__organization_id__user_id__key; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX member__organization_id__user_id__key ON public.member USING btree (organization_id, user_id);


--
-- Name: member__user_id__id__idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX member__user_id__id__idx ON public.member USING btree (user_id, id);


--
-- Name: oauth_state__expires_at__idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX oauth_state__expires_at__idx ON public.oauth_state USING btree (expires_at);


--
-- Name: oauth_state__session_id__idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX oauth_state__session_id__idx ON public.oauth_state USING btree (session_id);


--
-- Name: one_time_token__expires_at__idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX one_time_token__expires_at__idx ON public.one_time_token USING btree (expires_at);


--
-- Name: one_time_token__session_id__idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX one_time_token__session_id__idx ON public.one_time_token USING btree (session_id);


--
-- Name: organization__slug__key; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX organization__slug__key ON public.organization USING btree (slug);


--
-- Name: outbox__due_at__idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX outbox__due_at__idx ON public.outbox USING btree (due_at);


--
-- Name: outbox_dead__expires_at__idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX outbox_dead__expires_at__idx ON public.outbox_dead USING btree (expires_at);


--
-- Name: pairwise_subject__user_id__sector__key; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX pairwise_subject__user_id__sector__key ON public.pairwise_subject USING btree (user_id, sector);


--
-- Name: passkey__credential_id__key; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX passkey__credential_id__key ON public.passkey USING btree (credential_id);


--
-- Name: passkey__user_id__idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX passkey__user_id__idx ON public.passkey USING btree (user_id);


--
-- Name: passkey_challenge__expires_at__idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX passkey_challenge__expires_at__idx ON public.passkey_challenge USING btree (expires_at);


--
-- Name: phone_code__expires_at__idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX phone_code__expires_at__idx ON public.phone_code USING btree (expires_at);


--
-- Name: rate_limit__expires_at__idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX rate_limit__expires_at__idx ON public.rate_limit USING btree (expires_at);


--
-- Name: refresh_answer__expires_at__idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX refresh_answer__expires_at__idx ON public.refresh_answer USING btree (expires_at);


--
-- Name: refresh_family__code_hash__key; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX refresh_family__code_hash__key ON public.refresh_family USING btree (code_hash);


--
-- Name: refresh_family__consent_id__idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX refresh_family__consent_id__idx ON public.refresh_family USING btree (consent_id);


--
-- Name: refresh_family__expires_at__idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX refresh_family__expires_at__idx ON public.refresh_family USING btree (expires_at);


--
-- Name: refresh_family__session_id__idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX refresh_family__session_id__idx ON public.refresh_family USING btree (session_id);


--
-- Name: refresh_family__user_id__idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX refresh_family__user_id__idx ON public.refresh_family USING btree (user_id);


--
-- Name: session__expires_at__idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX session__expires_at__idx ON public.session USING btree (expires_at);


--
-- Name: session__token_hash__key; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX session__token_hash__key ON public.session USING btree (token_hash);


--
-- Name: session__user_id__created_at__idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX session__user_id__created_at__idx ON public.session USING btree (user_id, created_at);


--
-- Name: siwe_nonce__expires_at__idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX siwe_nonce__expires_at__idx ON public.siwe_nonce USING btree (expires_at);


--
-- Name: team__organization_id__id__idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX team__organization_id__id__idx ON public.team USING btree (organization_id, id);


--
-- Name: team_member__member_id__idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX team_member__member_id__idx ON public.team_member USING btree (member_id);


--
-- Name: team_member__team_id__id__idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX team_member__team_id__id__idx ON public.team_member USING btree (team_id, id);


--
-- Name: team_member__team_id__member_id__key; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX team_member__team_id__member_id__key ON public.team_member USING btree (team_id, member_id);


--
-- Name: two_factor__secret__idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX two_factor__secret__idx ON public.two_factor USING btree (secret);


--
-- Name: used_assertion__expires_at__idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX used_assertion__expires_at__idx ON public.used_assertion USING btree (expires_at);


--
-- Name: user__created_at__id__idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX user__created_at__id__idx ON public."user" USING btree (created_at, id);


--
-- Name: user__email__key; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX user__email__key ON public."user" USING btree (email);


--
-- Name: user__search_name__idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX user__search_name__idx ON public."user" USING btree (search_name);


--
-- Name: username__user_id__key; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX username__user_id__key ON public.username USING btree (user_id);


--
-- Name: username__username__key; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX username__username__key ON public.username USING btree (username);


--
-- Name: webhook__sealed_secrets__idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX webhook__sealed_secrets__idx ON public.webhook USING btree (sealed_secrets);


--
-- Name: webhook_dead__expires_at__idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX webhook_dead__expires_at__idx ON public.webhook_dead USING btree (expires_at);


--
-- Name: webhook_dead__webhook_id__id__idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX webhook_dead__webhook_id__id__idx ON public.webhook_dead USING btree (webhook_id, id);


--
-- Name: webhook_delivery__due_at__idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX webhook_delivery__due_at__idx ON public.webhook_delivery USING btree (due_at);


--
-- Name: webhook_delivery__webhook_id__subject__id__idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX webhook_delivery__webhook_id__subject__id__idx ON public.webhook_delivery USING btree (webhook_id, subject, id);


--
-- PostgreSQL database dump complete
--


