import { AwsV4Signer } from "aws4fetch"
import { Effect, Layer, Redacted, Schema } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import { KeyManagement, KeyManagementRefused } from "../../domain/ports/key-management.ts"
import { type Answer, exchange, type Refusal } from "./exchange.ts"
import type { AwsSettings } from "./settings.ts"

const Encrypted = Schema.Struct({ CiphertextBlob: Schema.String.check(Schema.isPattern(/^[\w+/]+=*$/)) })
const Decrypted = Schema.Struct({ Plaintext: Schema.Uint8ArrayFromBase64 })
const Described = Schema.Struct({ KeyMetadata: Schema.Struct({ KeyState: Schema.String, KeyUsage: Schema.String }) })

/** AWS gives its wrapped texts no mark of their own. */
const prefix = "aws:"

/** AWS KMS by its HTTP API, with signature version 4. */
export const layer = (settings: AwsSettings) =>
  Layer.effect(
    KeyManagement,
    Effect.map(HttpClient.HttpClient, (client) => {
      const { key_id } = settings
      const ask = <A>(action: string, parameters: object, answer: Schema.ConstraintDecoder<A>) =>
        Effect.flatMap(signed(settings, action, { KeyId: key_id, ...parameters }), (request) => exchange(client, request, refusal, answer))

      return KeyManagement.of({
        wrap: (secret, context) => {
          const parameters = { Plaintext: Buffer.from(secret).toString("base64"), EncryptionContext: { context } }
          return Effect.map(ask("Encrypt", parameters, Encrypted), ({ CiphertextBlob }) => `${prefix}${CiphertextBlob}`)
        },
        unwrap: (wrapped, context) => {
          if (!wrapped.startsWith(prefix)) return new KeyManagementRefused({ reason: "AWS KMS did not wrap this secret" })
          const parameters = { CiphertextBlob: wrapped.slice(prefix.length), EncryptionContext: { context } }
          return Effect.map(ask("Decrypt", parameters, Decrypted), ({ Plaintext }) => Plaintext)
        },
        health: Effect.flatMap(ask("DescribeKey", {}, Described), ({ KeyMetadata: { KeyState, KeyUsage } }) =>
          KeyState === "Enabled" && KeyUsage === "ENCRYPT_DECRYPT"
            ? Effect.succeed(`AWS KMS answers, and the key ${key_id} is enabled`)
            : Effect.fail(new KeyManagementRefused({ reason: `the key ${key_id} cannot be used (${KeyState}, ${KeyUsage})` })),
        ),
      })
    }),
  )

const signed = (settings: AwsSettings, action: string, parameters: object) => {
  const { region, access_key_id, secret_access_key, session_token, endpoint } = settings
  const body = JSON.stringify(parameters)
  const signer = new AwsV4Signer({
    method: "POST",
    url: endpoint ?? `https://kms.${region}.amazonaws.com/`,
    headers: { "x-amz-target": `TrentService.${action}` },
    body,
    accessKeyId: access_key_id,
    secretAccessKey: Redacted.value(secret_access_key),
    ...(session_token === undefined ? {} : { sessionToken: Redacted.value(session_token) }),
    service: "kms",
    region,
  })
  return Effect.map(
    Effect.promise(() => signer.sign()),
    ({ url, headers }) =>
      HttpClientRequest.post(url).pipe(
        HttpClientRequest.setHeaders(headers),
        HttpClientRequest.bodyText(body, "application/x-amz-json-1.1"),
      ),
  )
}

const Fault = Schema.Struct({ __type: Schema.String })
const isFault = Schema.is(Fault)

/** The code of the error. Its message quotes the request. */
const codeOf = ({ body }: Answer) => (isFault(body) ? body.__type.match(/(?:^|#)(\w{1,60})$/)?.[1] : undefined)

const hints: Readonly<Record<string, string>> = {
  InvalidCiphertextException: "the wrapped secret or key_management.context is wrong",
  IncorrectKeyException: "another key wrapped this secret",
  AccessDeniedException: "the policies of the key and of the credentials do not allow this",
  NotFoundException: "there is no such key; key_management.key_id and .region name it",
  DisabledException: "the key is disabled",
  KMSInvalidStateException: "the key cannot be used in its state",
  ExpiredTokenException: "the temporary credentials have expired",
  UnrecognizedClientException: "the credentials are wrong",
  InvalidSignatureException: "the credentials are wrong",
}

/** AWS answers 400 to a request above its limits. */
const isBusy = (code: string) => /^(Throttling|LimitExceeded)/.test(code)

const refusal: Refusal = (answer) => {
  const code = codeOf(answer)
  if (code !== undefined && isBusy(code)) return undefined
  const hint = hints[code ?? ""]
  return `AWS KMS answered ${answer.status}${code === undefined ? "" : ` ${code}`}${hint === undefined ? "" : `: ${hint}`}`
}
