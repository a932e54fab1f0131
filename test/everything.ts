import { Schema } from "effect"
import { optional } from "../application/modules/index.ts"
import type { AnyModule } from "../application/service/module.ts"
import { owned } from "./owned.ts"
import { core } from "./world.ts"

/** Settings of modules that need some; `{}` is enough for the others. */
export const told = {
  siwe: { domain: "localhost:3000" },
  passkey: { related_origins: ["https://example.net"] },
  bearer: { redirects: ["com.example.app:/auth", "http://127.0.0.1/auth"] },
  admin: {
    admin_emails: ["root@example.com"],
    jobs: true,
    suspension: true,
    exports: true,
    erasures: true,
    merges: true,
    operations: true,
  },
  events: { operations: true },
  idp: {
    resources: [{ resource: "https://files.example.com/mcp", name: "Files", scopes: ["files:read"] }],
    metadata_clients: { allow: ["any"] },
    open_registration: {},
  },
  two_factor: { methods: ["totp", "email", "sms"], remember_browser: { days: 30 } },
  social: {
    providers: [
      {
        preset: "idp_one" as const,
        client_id: "ours",
        client_secret: "a secret of ours",
        redirect_uri: "http://localhost:3000/api/auth/oauth/callback",
        authorize_url: "https://idp.example/authorize",
        token_url: "https://idp.example/token",
        userinfo_url: "https://idp.example/userinfo",
        jwks_url: "https://idp.example/jwks",
        issuer: "https://idp.example",
        response_mode: "form_post" as const,
        app_client_ids: ["our app"],
        keep_tokens: true,
      },
    ],
  },
} satisfies Readonly<Record<string, object>>

const toldTo = (name: string): object => Reflect.get(told, name) ?? {}

/** The settings of every module, by its key. */
export const settings = Object.fromEntries(optional.map(({ name }) => [name, toldTo(name)]))

/** Every module, enabled. Modules with settings that have no default get the settings above. */
export const modules: ReadonlyArray<AnyModule> = [
  ...core,
  ...optional.map(({ name, settings, build }) => {
    try {
      return build(Schema.decodeUnknownSync(settings)(toldTo(name)), owned)
    } catch (error) {
      throw new Error(`test/everything.ts has no settings that the module ${name} takes`, { cause: error })
    }
  }),
]
