import { X509Certificate } from "node:crypto"
import { readFileSync } from "node:fs"
import { urlsOf } from "./url.ts"

// `sslrootcert` in a URL names a file of trusted certificate authorities in PEM (libpq, "Connection Parameters"). The driver ignores it.

/** The modes with which the driver checks the certificate of the server. */
const checkingModes = ["require", "verify-ca", "verify-full"]

const parametersOf = (text: string) => URL.parse(urlsOf(text)[0] ?? "")?.searchParams

/** The certificate authorities that a URL trusts, in PEM; undefined for those of Node. Throws if the file cannot be read. */
const rootCertificateOf = (text: string): string | undefined => {
  const file = parametersOf(text)?.get("sslrootcert")
  return file === undefined || file === null ? undefined : readFileSync(file, "utf8")
}

/** What is wrong with the `sslrootcert` of a URL, as the words after "wanted"; undefined if nothing is. */
export const rootCertificateFault = (text: string): string | undefined => {
  const parameters = parametersOf(text)
  if (!parameters?.has("sslrootcert")) return undefined
  if (!checkingModes.includes(parameters.get("sslmode") ?? "")) return "sslmode=verify-full beside sslrootcert"
  try {
    new X509Certificate(rootCertificateOf(text) ?? "")
    return undefined
  } catch (error) {
    const { code } = Object(error) as { readonly code?: string }
    return `a file of certificates in PEM as sslrootcert (${reasons[code ?? ""] ?? "it has no certificate"})`
  }
}

/** Reads them for each new connection, so that a renewed file needs no restart. While the file has no certificate, the previous ones apply. */
export const rootCertificateReader = (text: string): (() => string | undefined) => {
  let last = rootCertificateOf(text)
  return () => {
    if (last !== undefined && rootCertificateFault(text) === undefined) last = rootCertificateOf(text)
    return last
  }
}

const reasons: Readonly<Record<string, string>> = { ENOENT: "there is no such file", EACCES: "the file may not be read" }
