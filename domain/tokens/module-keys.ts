import { Keys } from "./keys.ts"

/**
 * Operations with secret keys for one module: its values are valid in no other module and nowhere else in the service. In `sealed` of a
 * table, the purpose is `module/<name>/<purpose>`.
 */
export const moduleKeys = (module: string) => {
  const of = (purpose: string) => `module/${encodeURIComponent(module)}/${purpose}`
  return {
    /** HMAC-SHA256 of a text, base64url. */
    sign: (purpose: string, text: string) => Keys.use(({ sign }) => sign(of(purpose), text)),
    /** Whether the tag is that of the text; compared in constant time. */
    verify: (purpose: string, text: string, tag: string) => Keys.use(({ verify }) => verify(of(purpose), text, tag)),
    /** Encrypts a text, for `open` with the same purpose. */
    seal: (purpose: string, text: string) => Keys.use(({ seal }) => seal(of(purpose), text)),
    /** Decrypts a sealed text. None if it was modified, or sealed for another purpose or with a secret that is no longer configured. */
    open: (purpose: string, sealed: string) => Keys.use(({ open }) => open(of(purpose), sealed)),
  }
}
export type ModuleKeys = ReturnType<typeof moduleKeys>
