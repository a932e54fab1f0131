import { providerName } from "../../client/elements/provider-name.ts"
import type { Texts } from "./texts.ts"

/** The operator's name of a social provider, or else the one that its id suggests. */
export const providerNameIn = ({ find }: Pick<Texts, "find">, id: string) => find(`provider.${id}`) ?? providerName(id)
