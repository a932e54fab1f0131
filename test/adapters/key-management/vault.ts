import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto"
import { Redacted } from "effect"
import { json, type Received, type Reply, type StandIn } from "./server.ts"

const [token, namespace] = ["hvs.a-token-of-the-stand-in", "team/one"]

const failed = (status: number, error: string) => json(status, { errors: [error] })

/** Speaks the part of the API of Vault Transit that Sallyport uses: https://developer.hashicorp.com/vault/api-docs/secret/transit */
export const makeVault = (): StandIn => {
  const versions = [randomBytes(32)]
  const operations: Readonly<Record<string, (body: any) => Reply>> = {
    "POST /v1/team-transit/encrypt/sallyport": ({ plaintext, associated_data = "" }) => {
      const nonce = randomBytes(12)
      const cipher = createCipheriv("aes-256-gcm", versions.at(-1)!, nonce).setAAD(Buffer.from(associated_data, "base64"))
      const sealed = Buffer.concat([nonce, cipher.update(Buffer.from(plaintext, "base64")), cipher.final(), cipher.getAuthTag()])
      return json(200, { data: { ciphertext: `vault:v${versions.length}:${sealed.toString("base64")}`, key_version: versions.length } })
    },
    "POST /v1/team-transit/decrypt/sallyport": ({ ciphertext, associated_data = "" }) => {
      const [, version, text = ""] = /^vault:v(\d+):(.+)$/.exec(ciphertext) ?? []
      const key = versions[Number(version) - 1]
      if (key === undefined) return failed(400, "invalid ciphertext: version is too new")
      const sealed = Buffer.from(text, "base64")
      const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(0, 12)).setAAD(Buffer.from(associated_data, "base64"))
      decipher.setAuthTag(sealed.subarray(-16))
      try {
        const plain = Buffer.concat([decipher.update(sealed.subarray(12, -16)), decipher.final()])
        return json(200, { data: { plaintext: plain.toString("base64") } })
      } catch {
        return failed(400, `cipher: message authentication failed: ${ciphertext}`)
      }
    },
    "GET /v1/team-transit/keys/sallyport": () =>
      json(200, { data: { latest_version: versions.length, name: "sallyport", type: "aes256-gcm96" } }),
  }
  const answer = ({ method, path, headers, body }: Received) => {
    if (headers["x-vault-token"] !== token || headers["x-vault-namespace"] !== namespace) return failed(403, "permission denied")
    const operation = operations[`${method} ${path}`]
    if (operation === undefined) return failed(404, `no handler for route "${path}"`)
    return operation(body === "" ? {} : JSON.parse(body))
  }
  const settings = (url: string) =>
    ({ kind: "vault", url, token: Redacted.make(token), key: "sallyport", mount: "team-transit", namespace, context: "sallyport" }) as const
  return {
    answer,
    rotate: () => void versions.push(randomBytes(32)),
    settings,
    strangers: (url) => ({ ...settings(url), token: Redacted.make("hvs.the-token-of-a-stranger") }),
  }
}
