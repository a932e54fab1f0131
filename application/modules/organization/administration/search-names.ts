import { Organizations } from "../../../../domain/organizations/tables.ts"
import { searchedTexts } from "../../../../domain/storage/searched-texts.ts"

/** Gives organizations that an earlier version of the program wrote the text by which lists search names. */
export const searchNames = searchedTexts(Organizations, { search_name: null })
