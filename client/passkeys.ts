import type { Failure } from "./http.ts"
import type { Operations } from "./operations.ts"

/** Why the browser returned no passkey. `cancelled`: the user closed its dialog, or the call was aborted. */
export type PasskeyCode = "cancelled" | "unsupported"

const refused = (error: unknown) => ({
  data: null,
  error: {
    code: (error as Error).name === "NotAllowedError" || (error as Error).name === "AbortError" ? "cancelled" : "unsupported",
    message: String(error),
    status: 0,
  } as Omit<Failure, "code"> & { readonly code: PasskeyCode },
  response: null,
})

interface SignInOptions {
  readonly email?: string
  /** Offers passkeys in the autofill of a field with `autocomplete="username webauthn"` instead of a dialog. */
  readonly autofill?: boolean
  readonly signal?: AbortSignal
}

/** Signs in with a passkey (WebAuthn section 7.2). */
export const signInWithPasskey = async ({ passkey }: Pick<Operations, "passkey">, { email, autofill, signal }: SignInOptions = {}) => {
  const options = await passkey.authenticate.options(email === undefined ? {} : { email })
  if (!options.data) return options
  try {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options.data as any)
    const credential = (await navigator.credentials.get({
      publicKey,
      mediation: autofill ? "conditional" : "optional",
      ...(signal ? { signal } : {}),
    })) as PublicKeyCredential
    return await passkey.authenticate.verify({ response: credential.toJSON() as any })
  } catch (error) {
    return refused(error)
  }
}

/** Creates a passkey and registers it for the signed-in user (WebAuthn section 7.1). */
export const addPasskey = async ({ passkey }: Pick<Operations, "passkey">, name?: string) => {
  const options = await passkey.register.options()
  if (!options.data) return options
  try {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options.data as any)
    const credential = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential
    return await passkey.register.verify({ response: credential.toJSON() as any, ...(name === undefined ? {} : { name }) })
  } catch (error) {
    return refused(error)
  }
}
