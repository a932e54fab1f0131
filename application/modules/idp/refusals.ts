import type { Protocol, Refusal } from "../../service/endpoint.ts"
import { proofAlgorithms } from "./clients/dpop.ts"

type RefusalFormat = NonNullable<Protocol["refusal"]>

/**
 * Formats an error of an OAuth endpoint: as RFC 6749 section 5.2 defines it for form requests, in the envelope of REST for JSON requests.
 */
export const oauthRefusal: RefusalFormat = (error, { form, authorization }): Refusal => {
  const headers: Refusal["headers"] =
    error._tag === "invalid_client" && authorization !== null ? { "www-authenticate": 'Basic realm="OAuth clients"' } : {}
  const code = error._tag === "invalid_json" ? "invalid_request" : error._tag
  return { body: form ? { error: code, error_description: plain(error.message) } : undefined, headers }
}

const bearerChallenge = (code: string) => ({ "www-authenticate": code === "invalid_token" ? 'Bearer error="invalid_token"' : "Bearer" })

/** Formats an error of a registration (RFC 7591 section 3.2.2). */
export const registrationRefusal: RefusalFormat = (error): Refusal => ({
  body: { error: error._tag === "invalid_json" ? "invalid_client_metadata" : error._tag, error_description: plain(error.message) },
  headers: error.status === 401 || error._tag === "invalid_token" ? bearerChallenge(error._tag) : {},
})

/**
 * Replaces the characters that an error description must not contain (RFC 6749 appendix A.8: printable ASCII without quotes and
 * backslashes).
 */
const plain = (text: string) => text.replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, "'")

/** Formats an error as a challenge (RFC 6750 section 3, RFC 9449 section 7.1): a request without a token gets no error code. */
export const challenge: RefusalFormat = ({ _tag }, { authorization }): Refusal => {
  const isDpop = /^dpop /i.test(authorization ?? "")
  const algorithms = `algs="${proofAlgorithms.join(" ")}"`
  const challenges = {
    invalid_dpop_proof: `DPoP error="invalid_dpop_proof", ${algorithms}`,
    use_dpop_nonce: `DPoP error="use_dpop_nonce", ${algorithms}`,
    unauthorized: "Bearer",
    invalid_token: isDpop ? `DPoP error="invalid_token", ${algorithms}` : 'Bearer error="invalid_token"',
    invalid_request: 'Bearer error="invalid_request"',
  }
  const field = Reflect.get(challenges, _tag)
  return { body: undefined, headers: field === undefined ? {} : { "www-authenticate": field } }
}
