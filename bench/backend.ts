// A backend that verifies the tokens of the server with `sallyport/backend/verify-token`, and answers with their claims. Requires JWKS_URL,
// ISSUER and PORT.
import { createServer } from "node:http"
import { createVerifier } from "../backend/verify-token.ts"

const verify = createVerifier({ issuer: process.env["ISSUER"] ?? "", jwksUrl: process.env["JWKS_URL"] ?? "" })

createServer(async (request, response) => {
  const verdict = await verify(request.headers.authorization?.slice("Bearer ".length) ?? "")
  const body = verdict.status === "valid" ? JSON.stringify(verdict.claims) : "{}"
  response.writeHead(verdict.status === "valid" ? 200 : 401, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
  })
  response.end(body)
}).listen(Number(process.env["PORT"]), "127.0.0.1")
