import { afterEach, beforeEach, vi } from "vitest"

/** A page, as far as the client needs one: its document and window send events, and channels of one name receive each other's messages. */
export const stubPage = () => {
  const made = () => ({
    document: Object.assign(new EventTarget(), { visibilityState: "visible" }),
    window: new EventTarget(),
    navigation: new EventTarget(),
  })
  const page = made()
  beforeEach(() => {
    Object.assign(page, made())
    vi.stubGlobal("document", page.document)
    vi.stubGlobal("navigation", page.navigation)
    vi.stubGlobal("addEventListener", page.window.addEventListener.bind(page.window))
    vi.stubGlobal("removeEventListener", page.window.removeEventListener.bind(page.window))
    vi.stubGlobal("BroadcastChannel", FakeChannel)
  })
  afterEach(() => {
    vi.unstubAllGlobals()
    FakeChannel.all.clear()
  })
  return page
}

/** Delivers at once, unlike Node's, and keeps no process alive. */
class FakeChannel extends EventTarget {
  static readonly all = new Set<FakeChannel>()
  readonly name: string
  constructor(name: string) {
    super()
    this.name = name
    FakeChannel.all.add(this)
  }
  postMessage(data: unknown) {
    for (const other of FakeChannel.all) {
      if (other !== this && other.name === this.name) other.dispatchEvent(new MessageEvent("message", { data }))
    }
  }
}
