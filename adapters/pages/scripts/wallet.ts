// Signs in with an Ethereum wallet: EIP-1193 (requests), EIP-6963 (several wallets), `personal_sign` (EIP-191).

interface Wallet {
  readonly request: (call: { readonly method: string; readonly params?: ReadonlyArray<string> }) => Promise<unknown>
}
interface Announced {
  readonly info: { readonly uuid: string; readonly name: string }
  readonly provider: Wallet
}

const box = document.querySelector<HTMLElement>("[data-wallet]")
const form = box?.querySelector("form")
const failed = box?.querySelector<HTMLElement>("[data-failed]")
const button = form?.querySelector<HTMLButtonElement>("button")

if (box && form && button) {
  const inputNamed = (name: string) => form.querySelector<HTMLInputElement>(`[name=${name}]`)
  const valueOf = (name: string) => inputNamed(name)?.value ?? ""
  const fill = (name: string, value: string) => {
    const input = inputNamed(name)
    if (input) input.value = value
  }
  const hex = (text: string) => `0x${Array.from(new TextEncoder().encode(text), (byte) => byte.toString(16).padStart(2, "0")).join("")}`

  const messageFor = async (body: URLSearchParams): Promise<string> => {
    const response = await fetch(box.dataset["wallet"] ?? "", { method: "POST", body })
    if (!response.ok) throw new Error(`The message was refused with ${response.status}.`)
    return (await response.json()).message
  }

  const sign = async (wallet: Wallet) => {
    const [address = ""] = (await wallet.request({ method: "eth_requestAccounts" })) as ReadonlyArray<string>
    const body = new URLSearchParams({ form_token: valueOf("form_token"), address })
    const message = await messageFor(body).catch(() => null)
    if (failed) failed.hidden = message !== null
    if (message === null) return
    fill("signature", String(await wallet.request({ method: "personal_sign", params: [hex(message), address] })))
    fill("message", message)
    isSigned = true
    form.requestSubmit(button)
  }

  let isSigned = false
  let chosen: Wallet | undefined
  const wallets = new Map<string, HTMLButtonElement>()

  const offer = (wallet: Wallet, id: string, name?: string) => {
    if (wallets.has(id)) return
    const own = wallets.size === 0 ? button : (button.cloneNode(true) as HTMLButtonElement)
    if (wallets.size > 0) [...wallets.values()].at(-1)?.after(own)
    if (wallets.size > 0) {
      own.removeAttribute("aria-describedby")
      own.querySelector(".mark")?.remove()
    }
    if (name !== undefined) own.querySelector(".icon")?.nextSibling?.replaceWith(`${label} (${name})`)
    own.addEventListener("click", () => {
      chosen = wallet
    })
    wallets.set(id, own)
    box.hidden = false
  }
  const label = button.querySelector(".icon")?.nextSibling?.textContent

  form.addEventListener("submit", (event) => {
    if (isSigned) return
    event.preventDefault()
    // The visitor declined in the wallet, which has said so.
    if (chosen !== undefined) sign(chosen).catch(() => undefined)
  })
  addEventListener("eip6963:announceProvider", (event) => {
    const { info, provider } = (event as CustomEvent<Announced>).detail
    offer(provider, info.uuid, info.name)
  })
  dispatchEvent(new Event("eip6963:requestProvider"))
  const { ethereum } = window as unknown as { readonly ethereum?: Wallet }
  if (ethereum !== undefined && wallets.size === 0) offer(ethereum, "window")
}
