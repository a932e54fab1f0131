import type { Operations } from "../operations.ts"
import type { SessionOf, WithSession } from "../session.ts"
import type { SessionState } from "../session-store.ts"
import { Component, define } from "./component.ts"
import { el } from "./dom.ts"
import { item, menuButton } from "./menu.ts"
import type { Texts } from "./texts.ts"

type Client = WithSession & Pick<Operations, "signOut"> & Partial<Pick<Operations, "multiSession">>
type User = SessionOf["user"]

/**
 * The picture and name of the user, with a menu: the account, the other accounts of the browser (attribute `accounts`), and the end of the
 * session (event `sign-out`).
 */
export class UserButton extends Component<Client> {
  protected draw(client: Client, t: Texts, session: SessionState<SessionOf>): unknown {
    if (session.status !== "authenticated") return this.show()
    const { user } = session
    const name = el("bdi", { className: "name" }, nameOf(user))
    const account = this.page("account")
    const signOut = async () => {
      if ((await client.signOut()).data) this.finish("sign-out")
    }
    return this.show(
      ...menuButton(t("field.account"), [avatar(user), name], async () => [
        ...(account ? [item(t("account.sections"), account)] : []),
        ...(this.hasAttribute("accounts") ? await this.#accounts(client, t) : []),
        item(t("account.sign_out"), signOut),
      ]),
    )
  }

  async #accounts({ multiSession }: Client, t: Texts): Promise<ReadonlyArray<HTMLElement>> {
    const { data } = (await multiSession?.list()) ?? {}
    const others = (data?.sessions ?? []).filter(({ active }) => !active)
    const add = this.page("sign-in", { another: "yes", return_to: this.target ?? location.href })
    const choose = async (session_id: string) => {
      if ((await multiSession?.setActive({ session_id }))?.data) this.finish("change")
    }
    return [
      ...others.map(({ session_id, user }) => item(el("bdi", {}, nameOf(user)), () => choose(session_id))),
      ...(add ? [item(t("choose.add"), add)] : []),
    ]
  }
}

const nameOf = ({ name, email }: User) => name || email

/** The picture, or the first letter of the name without one. Both are decoration: the name is next to them. */
const avatar = (user: User): HTMLElement => {
  const [letter = ""] = nameOf(user)
  const initial = el("span", { className: "avatar", ariaHidden: "true" }, letter.toUpperCase())
  if (!user.image) return initial
  const picture = el("img", { className: "avatar", alt: "", referrerPolicy: "no-referrer" })
  picture.onerror = () => picture.replaceWith(initial)
  picture.src = user.image
  return picture
}

define("sallyport-user-button", UserButton)
