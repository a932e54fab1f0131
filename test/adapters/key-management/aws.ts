import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto"
import { Redacted } from "effect"
import { json, type Received, type Reply, type StandIn } from "./server.ts"

const [accessKeyId, secretAccessKey, sessionToken] = ["AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", "a-session-token/of+sts=="]
const [region, keyId] = ["eu-central-1", "alias/sallyport"]

const failed = (type: string, message = "") => json(400, { __type: type, message })

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex")
const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest()

/**
 * Checks signature version 4 by the steps of its documentation, apart from the library that signs:
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 */
export const isSigned = ({ method, path, headers, body }: Received, secret = secretAccessKey): boolean => {
  const { authorization = "" } = headers
  const [, id, day, signedRegion, service, signed = "", signature = ""] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/([^/]+)\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/.exec(
      authorization,
    ) ?? []
  const date = String(headers["x-amz-date"])
  const names = signed.split(";")
  const required = ["host", "x-amz-date", "x-amz-security-token", "x-amz-target"]
  if (id !== accessKeyId || signedRegion !== region || service !== "kms" || !required.every((name) => names.includes(name))) return false
  const age = Date.now() - Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"))
  if (!date.startsWith(day ?? "?") || !(Math.abs(age) < 300_000)) return false

  const canonicalHeaders = names.map((name) => `${name}:${String(headers[name]).trim()}\n`).join("")
  const canonicalRequest = [method, path, "", canonicalHeaders, signed, sha256(body)].join("\n")
  const scope = `${day}/${region}/kms/aws4_request`
  const toSign = ["AWS4-HMAC-SHA256", date, scope, sha256(canonicalRequest)].join("\n")
  const key = hmac(hmac(hmac(hmac(`AWS4${secret}`, day ?? ""), region), "kms"), "aws4_request")
  return timingSafeEqual(hmac(key, toSign), Buffer.from(signature, "hex"))
}

/** Pairs in the order of their names, as AWS authenticates them. */
const additionalData = (context: object = {}) => Buffer.from(JSON.stringify(Object.entries(context).sort()))

/** Speaks the part of the API of AWS KMS that Sallyport uses: https://docs.aws.amazon.com/kms/latest/APIReference/API_Operations.html */
export const makeAws = (): StandIn => {
  const materials = [randomBytes(32)]
  const operations: Readonly<Record<string, (body: any) => Reply>> = {
    "TrentService.Encrypt": ({ Plaintext, EncryptionContext }) => {
      const nonce = randomBytes(12)
      const cipher = createCipheriv("aes-256-gcm", materials.at(-1)!, nonce).setAAD(additionalData(EncryptionContext))
      const sealed = [Buffer.from([materials.length]), nonce, cipher.update(Buffer.from(Plaintext, "base64")), cipher.final()]
      const blob = Buffer.concat([...sealed, cipher.getAuthTag()]).toString("base64")
      return json(200, { CiphertextBlob: blob, EncryptionAlgorithm: "SYMMETRIC_DEFAULT", KeyId: `arn:aws:kms:${region}:1:key/1` })
    },
    "TrentService.Decrypt": ({ CiphertextBlob, EncryptionContext }) => {
      const blob = Buffer.from(CiphertextBlob, "base64")
      const material = materials[(blob[0] ?? 0) - 1]
      if (material === undefined) return failed("InvalidCiphertextException")
      const decipher = createDecipheriv("aes-256-gcm", material, blob.subarray(1, 13)).setAAD(additionalData(EncryptionContext))
      decipher.setAuthTag(blob.subarray(-16))
      try {
        const plain = Buffer.concat([decipher.update(blob.subarray(13, -16)), decipher.final()])
        return json(200, { Plaintext: plain.toString("base64"), KeyId: `arn:aws:kms:${region}:1:key/1` })
      } catch {
        return failed("InvalidCiphertextException", CiphertextBlob)
      }
    },
    "TrentService.DescribeKey": () => json(200, { KeyMetadata: { KeyState: "Enabled", KeyUsage: "ENCRYPT_DECRYPT", Enabled: true } }),
  }
  const answer = (request: Received) => {
    const { method, path, headers, body } = request
    if (method !== "POST" || path !== "/" || headers["content-type"] !== "application/x-amz-json-1.1")
      return failed("UnknownOperationException")
    if (headers["x-amz-security-token"] !== sessionToken) return failed("UnrecognizedClientException")
    if (!isSigned(request)) return failed("com.amazon.coral.service#InvalidSignatureException", body)
    const parameters = JSON.parse(body)
    if (parameters.KeyId !== keyId) return failed("NotFoundException", parameters.KeyId)
    return operations[String(headers["x-amz-target"])]?.(parameters) ?? failed("UnknownOperationException")
  }
  const settings = (endpoint: string) =>
    ({
      kind: "aws",
      ...{ region, key_id: keyId, endpoint, access_key_id: accessKeyId, context: "sallyport" },
      ...{ secret_access_key: Redacted.make(secretAccessKey), session_token: Redacted.make(sessionToken) },
    }) as const
  return {
    answer,
    rotate: () => void materials.push(randomBytes(32)),
    settings,
    strangers: (endpoint) => ({ ...settings(endpoint), secret_access_key: Redacted.make("the-secret-key-of-a-stranger") }),
  }
}
