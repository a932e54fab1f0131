// Reports the passkeys and names of the user to the authenticators, so that they stop offering removed passkeys.
export {}

interface Signals {
  readonly signalAllAcceptedCredentials?: (options: object) => Promise<void>
  readonly signalCurrentUserDetails?: (options: object) => Promise<void>
}

const report = async ({ dataset }: HTMLElement) => {
  const signals = globalThis.PublicKeyCredential as unknown as Signals | undefined
  if (signals?.signalAllAcceptedCredentials === undefined && signals?.signalCurrentUserDetails === undefined) return
  const response = await fetch(dataset["passkeySignals"] ?? "", {
    method: "POST",
    body: new URLSearchParams({ form_token: dataset["token"] ?? "" }),
  })
  if (!response.ok) return
  const { rpId, userId, allAcceptedCredentialIds, name, displayName } = await response.json()
  await signals.signalAllAcceptedCredentials?.({ rpId, userId, allAcceptedCredentialIds })
  await signals.signalCurrentUserDetails?.({ rpId, userId, name, displayName })
}

const element = document.querySelector<HTMLElement>("[data-passkey-signals]")
if (element !== null) report(element).catch(() => {})
