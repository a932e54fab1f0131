/** Words that newcomers search for and that a page does not have, by the page's path. The search matches them as it matches titles. */
export const keywords: Readonly<Record<string, string>> = {
  "start/quick-start": "install setup start begin getting started tutorial hello world try run npm",
  "guides/your-app":
    "react vue svelte next nextjs next.js express fastify hono node middleware protect guard route api server session getSession useSession mount embed handler python backend frontend spa sdk expo react native ios android mobile app jwt verify token validate",
  "start/next": "install setup react app router server component server action middleware protect page",
  frameworks: "sveltekit nuxt nitro astro tanstack start react router nestjs express hono fastify next remix",
  ...Object.fromEntries(
    ["next", "sveltekit", "nuxt", "nitro", "astro", "tanstack-start", "react-router", "nestjs", "express", "hono", "fastify"].map(
      (name) => [`frameworks/${name}`, "mount middleware protect guard route session server action login"],
    ),
  ),
  "guides/refuse-sign-up":
    "hook gate before reject refuse block deny forbid prevent sign-up signup registration register allowlist blocklist domain",
  "guides/administration":
    "admin role permission rbac support staff machine service account client credentials m2m api key backend job ban",
  "guides/console": "console dashboard admin panel ui users screen operator support",
  "guides/recipes": "recipe invite only support staff role nightly sync import users script gdpr export data delete erasure",
  "guides/google": "google login sign in oauth client id console redirect uri localhost button",
  "guides/two-origins": "cross origin cors spa api token domain subdomain separate frontend backend vite",
  "guides/own-mailer": "mail email send provider api resend postmark sendgrid ses mailgun transactional custom",
  "guides/jobs": "background job queue cron worker schedule webhook serverless",
  "guides/testing": "test tests vitest jest playwright mock fake clock memory integration e2e",
  "guides/hosts":
    "cors error preflight cookie domain subdomain samesite nginx caddy traefik apache reverse proxy load balancer rate limit ip address forwarded https tls localhost",
  "guides/providers": "google github apple facebook microsoft discord oauth social login sign in callback redirect uri localhost client id",
  "guides/production":
    "deploy checklist backup restore dump disaster rotate secret key upgrade update version high availability cluster incident hashing argon2",
  "guides/deployment": "docker compose image container kubernetes k8s helm systemd service deploy install",
  "guides/monitoring": "prometheus grafana metrics logs logging opentelemetry tracing alerts health check observability",
  "guides/sms": "twilio vonage sms text message phone provider",
  "guides/modules":
    "hook hooks gate before after reject refuse block deny forbid prevent sign-up signup registration register allowlist blocklist domain callback event plugin extension extend custom fields metadata user data",
  "guides/sign-in-methods": "custom login method ldap active directory strategy plugin",
  "moving-in": "migrate migration import users csv json export bulk password hash switch",
  ...Object.fromEntries(
    ["auth0", "firebase", "keycloak", "supabase", "better-auth", "authjs", "devise", "django", "clerk", "cognito"].map((name) => [
      `moving-in/${name}`,
      "migrate from migration import users switch next-auth nextauth auth.js",
    ]),
  ),
  "modules/account": "delete user account remove gdpr profile update name picture avatar",
  "modules/admin": "admin role panel delete user ban block suspend disable unban list users",
  "modules/audit": "audit log history trail events compliance",
  "modules/bearer": "mobile app native ios android token api authorization header cli",
  "modules/email_password": "change password forgot reset lost login register sign up credentials",
  "modules/email_verification": "verify email confirm address resend mail change",
  "modules/events": "webhook webhooks notify callback user created event",
  "modules/idp": "sso single sign-on openid connect oidc oauth provider server authorization client application login with",
  "modules/jwt": "jwt jwks token verify backend microservice api",
  "modules/magic_link": "magic link email passwordless login",
  "modules/multi_session": "multiple accounts switch account",
  "modules/organization": "multi tenant tenancy b2b invite member members team workspace company role permission rbac",
  "modules/passkey": "passkey webauthn fido2 face id touch id fingerprint biometric register security key yubikey",
  "modules/phone": "sms otp login phone number text message",
  "modules/sessions": "logout log out sign out everywhere session expiry lifetime timeout revoke device devices remember me",
  "modules/siwe": "ethereum wallet web3 metamask crypto",
  "modules/social": "google github login oauth social callback localhost",
  "modules/step_up": "sudo reauthenticate confirm password sensitive",
  "modules/two_factor": "2fa mfa two factor authenticator app totp backup recovery codes required",
  "reference/configuration":
    "config smtp mail server email logo colors theme brand custom translate translation language locale emails mfa required rotate secret env environment variables session expiry",
  "reference/settings": "config options smtp rate limit session expiry lifetime env",
}
