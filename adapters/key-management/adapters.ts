import { keyAdapter } from "../kinds/key-management.ts"
import { loaded } from "../loaded.ts"
import { local } from "./local.ts"
import { Aws, Vault } from "./settings.ts"

/** The transit engine of HashiCorp Vault or OpenBao. */
const vault = keyAdapter({
  kind: "vault",
  settings: Vault,
  variables: [
    { name: "VAULT_ADDR", key: "url" },
    { name: "VAULT_TOKEN", key: "token" },
    { name: "VAULT_NAMESPACE", key: "namespace" },
  ],
  select: (settings) => ({
    layer: loaded(async () => (await import("./vault.ts")).layer(settings)),
    context: settings.context,
  }),
})

const aws = keyAdapter({
  kind: "aws",
  settings: Aws,
  variables: [
    { name: "AWS_REGION", key: "region" },
    { name: "AWS_ACCESS_KEY_ID", key: "access_key_id" },
    { name: "AWS_SECRET_ACCESS_KEY", key: "secret_access_key" },
    { name: "AWS_SESSION_TOKEN", key: "session_token" },
  ],
  select: (settings) => ({
    layer: loaded(async () => (await import("./aws.ts")).layer(settings)),
    context: settings.context,
  }),
})

/** Where the key can be kept that wraps the secrets of the service. */
export const keyManagements = [local, vault, aws]

/** The settings of a key management. */
export type KeyManagementSettings = (typeof keyManagements)[number]["settings"]["Type"]
