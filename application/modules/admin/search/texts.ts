import { searchedTexts } from "../../../../domain/storage/searched-texts.ts"
import { Users } from "../../../../domain/users/tables.ts"

/** Gives users whom an earlier version of the program wrote the texts by which administrators search. */
export const searchTexts = searchedTexts(Users, { search_domain: null })
