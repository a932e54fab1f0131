import type { SessionOf, WithSession } from "../session.ts"
import type { SessionState } from "../session-store.ts"
import { el } from "./dom.ts"
import { loadTexts, type Texts } from "./texts.ts"

/** Servers import this file too, and have no elements. */
const Base = (globalThis.HTMLElement ?? class {}) as typeof HTMLElement

/**
 * An element that shows the children which the application wrote until it has a client and its texts, and whenever it has nothing to draw.
 * It hides them instead of removing them, since they belong to the application's framework. Without a client it makes one of its own: React
 * sets no properties of elements that it hydrates.
 */
export abstract class Component<Client extends WithSession> extends Base {
  static readonly observedAttributes = ["lang"]
  readonly #root = el("div", { className: "sallyport" })
  #client: Client | undefined
  #stop = () => {}

  get client(): Client | undefined {
    return this.#client
  }

  set client(client: Client | undefined) {
    if (client === this.#client) return
    this.#client = client
    void this.#start()
  }

  connectedCallback(): void {
    const { client } = this
    // A client that was set before the definition of the element hides the accessor.
    delete (this as { client?: Client | undefined }).client
    this.#client = client
    void this.#start()
  }

  disconnectedCallback(): void {
    void this.#start()
  }

  attributeChangedCallback(): void {
    void this.#start()
  }

  /** Calls `show` with what belongs to this session. */
  protected abstract draw(client: Client, t: Texts, session: SessionState<SessionOf>): unknown

  /** Starts again; a detached element only stops. */
  async #start() {
    this.#stop()
    const stop = () => {}
    this.#stop = stop
    if (!this.isConnected) return
    const client: Client = this.#client ?? (await (await import("./own-client.ts")).default(this))
    const t = await loadTexts(this.closest<HTMLElement>("[lang]:not([lang=''])")?.lang ?? navigator.language)
    if (stop !== this.#stop) return
    Object.assign(this.#root, { lang: t.tag, dir: t.dir })
    const draw = () => this.draw(client, t, client.$session.get())
    this.#stop = client.$session.subscribe(draw)
    draw()
  }

  /** Replaces what the element shows; nothing: the children of the application. A focus that would be lost moves to what is new. */
  protected show(...nodes: ReadonlyArray<Node>): void {
    const root = this.#root
    const hadFocus = root.contains(document.activeElement)
    const isDrawn = nodes.length > 0
    root.replaceChildren(...nodes)
    this.append(root)
    for (const child of this.children) (child as HTMLElement).hidden = (child !== root) === isDrawn
    if (hadFocus) (isDrawn ? root : this).querySelector<HTMLElement>("input,button,a,[tabindex]")?.focus()
  }

  /** The address of a page of the service, beside the page of the application's own link; undefined without a link. */
  protected page(name: string, query?: Readonly<Record<string, string>>): string | undefined {
    const href = URL.parse(name, this.querySelector<HTMLAnchorElement>(":scope > a[href]")?.href)?.href
    return href && query ? `${href}?${new URLSearchParams(query)}` : href
  }

  /** The address of `return-to`, on this origin only: any other one could be chosen by an attacker. */
  protected get target(): string | undefined {
    const href = URL.parse(this.getAttribute("return-to") ?? "//", location.href)?.href
    return href?.startsWith(`${location.origin}/`) ? href : undefined
  }

  /** Tells the application what has happened. Unless it calls `preventDefault`, the browser goes to `return-to`. */
  protected finish(event: string, detail?: unknown): void {
    const { target } = this
    if (this.dispatchEvent(new CustomEvent(event, { detail, bubbles: true, cancelable: true })) && target) location.assign(target)
  }
}

/** Defines an element once: a module can be evaluated again, and a page can contain two copies of it. */
export const define = (name: string, element: CustomElementConstructor): void => {
  if (globalThis.customElements && !customElements.get(name)) customElements.define(name, element)
}
