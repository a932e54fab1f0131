import { type DefineComponent, onMounted, onScopeDispose, type ShallowRef, shallowRef } from "vue"
import type { Elements } from "./elements/types.ts"
import type { SessionOf, WithSession } from "./session.ts"
import { pending, type SessionState } from "./session-store.ts"

/** The session, for a component. It begins with what the server rendered and follows the store once the component is mounted. */
export const useSession = (
  { $session }: WithSession,
  rendered: SessionState<SessionOf> = pending,
): Readonly<ShallowRef<SessionState<SessionOf>>> => {
  const session = shallowRef(rendered)
  let stop = () => {}
  onMounted(() => {
    const follow = () => {
      const state = $session.get()
      if (state.status !== "pending") session.value = state
    }
    stop = $session.subscribe(follow)
    follow()
  })
  onScopeDispose(() => stop())
  return session
}

type OfVue = { [Name in keyof Elements]: DefineComponent<Elements[Name]> }

declare module "vue" {
  interface GlobalComponents extends OfVue {}
}
