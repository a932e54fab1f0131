/** A hash that another implementation made. */
export interface Imported {
  readonly name: string
  readonly password: string
  readonly hash: string
}

const phrase = "correct horse battery staple"

/**
 * Hashes in other formats, and argon2id hashes that other implementations made. If a hash has no source, it was made in Python with passlib
 * 1.7.4, argon2-cffi 25.1, bcrypt 4.0.1, Django 5.2 or hashlib.
 */
export const imported: ReadonlyArray<Imported> = [
  {
    name: "argon2id, reference implementation test.c",
    password: "password",
    hash: "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc",
  },
  {
    name: "argon2i version 19, reference implementation test.c",
    password: "password",
    hash: "$argon2i$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$wWKIMhR9lyDFvRz9YTZweHKfbftvj+qf+YFY4NeBbtA",
  },
  {
    name: "argon2i version 16 with no version written, reference implementation test.c",
    password: "password",
    hash: "$argon2i$m=65536,t=2,p=1$c29tZXNhbHQ$9sTbSlTio3Biev89thdrlKKiCaYsjjYVJxGAL3swxpQ",
  },
  {
    name: "argon2i version 16, argon2-cffi",
    password: phrase,
    hash: "$argon2i$v=16$m=64,t=3,p=1$MDEyMzQ1Njc4OWFiY2RlZg$HcwO7KP3hnBpb3GtLPnpouYiemuK9kKeEMYy1uRxU/0",
  },
  {
    name: "argon2id with a key of 16 bytes, argon2-cffi",
    password: phrase,
    hash: "$argon2id$v=19$m=64,t=1,p=1$MDEyMzQ1Njc4OWFiY2RlZg$005Q9MMgp6h3okGqm6+g8Q",
  },
  { name: "bcrypt 2a of nothing, jBCrypt tests", password: "", hash: "$2a$06$DCq7YPn5Rq63x1Lad4cll.TV4S6ytwfsfvkgY8jIucDrjc8deX1s." },
  { name: "bcrypt 2a, jBCrypt tests", password: "a", hash: "$2a$06$m0CrhHm10qJ3lXRY.5zDGO3rS2KdeeWLuGmsfGlMfOxih58VYVfxe" },
  { name: "bcrypt 2a, crypt_blowfish wrapper.c", password: "U*U", hash: "$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW" },
  {
    name: "bcrypt 2a past 72 bytes, crypt_blowfish wrapper.c",
    password: "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789chars after 72 are ignored",
    hash: "$2a$05$abcdefghijklmnopqrstuu5s2v8.iXieOjg/.AySBTTZIIVFJeBui",
  },
  { name: "bcrypt 2b", password: phrase, hash: "$2b$05$abcdefghijklmnopqrstuuFiPhXf1sVd3pCCRO.uVh34H/qI/ZsuS" },
  { name: "bcrypt 2y", password: phrase, hash: "$2y$05$lD.pqNEThqHLEklO8EXJfeV8ONzAbLWcG5NJKI8E7.9WBm.HXxrlW" },
  {
    name: "scrypt, RFC 7914 section 12",
    password: "password",
    hash: "$scrypt$ln=10,r=8,p=16$TmFDbA$/bq+HJ00cgB4VucZDQHp/nxq18vII3gw53N2Y0s3MWIurzDZLiKjiG/xCSedmDDaxyevuUqD7m2DYMvfoswGQA",
  },
  {
    name: "scrypt, passlib",
    password: phrase,
    hash: "$scrypt$ln=8,r=4,p=2$MDEyMzQ1Njc4OWFiY2RlZg$OdLyXinsog7tVNmXMfPcLsumVYG+UAfJF5fmERj//LM",
  },
  {
    name: "scrypt, better-auth (made with hashlib)",
    password: phrase,
    hash: "000102030405060708090a0b0c0d0e0f:7034425e783148ac6ce2c4521177f6fc8ba611950b64145053bf3c4fbf26457865bbf1ea8164754187636d431114bca7374e96cf91409d23fbc0b086580d2442",
  },
  {
    name: "scrypt, better-auth, whose password changes under NFKC (made with hashlib)",
    password: "ﬁne ｐａｓｓ № 5",
    hash: "0f0e0d0c0b0a09080706050403020100:c78a3c910a7968740f318eb4c4598f5effca2aece2721ee9e695f3f3bb2f1d73c2533bae43ab8ec505eec3151243102fee2b28a400beefeb1f187f30381c603e",
  },
  {
    name: "PBKDF2-SHA256, passlib",
    password: phrase,
    hash: "$pbkdf2-sha256$1000$MDEyMzQ1Njc4OWFiY2RlZg$yqSq2SygY1sB4EcH9f2FG0JTMES.wqLsOT5YmiRBplI",
  },
  {
    name: "PBKDF2-SHA256 with a salt of dots, passlib",
    password: phrase,
    hash: "$pbkdf2-sha256$1000$................$9kLLj09/z/GE/7lpZiOB/caMBxLTG9GaSCm.tdiyHP4",
  },
  {
    name: "PBKDF2-SHA512, passlib",
    password: phrase,
    hash: "$pbkdf2-sha512$1000$MDEyMzQ1Njc4OWFiY2RlZg$5bTW2oeyDJyGJPcmEr.mRDE11ghpozWrDGnSNhRXo2ZCu0KHRDiUMAVEGzLJC.oDhRoeIja9J1iLIv9ptDJMfQ",
  },
  { name: "PBKDF2-SHA1, RFC 6070 section 2", password: "password", hash: "$pbkdf2$4096$c2FsdA$SwB5AbdlSJq.rUnZJvch0GWkKcE" },
  {
    name: "PBKDF2-SHA256 in two blocks, RFC 7914 section 11",
    password: "Password",
    hash: "$pbkdf2-sha256$i=80000,l=64$TmFDbA$TdzY9guYviGDDO5e8icB+WQaRBjQTAQUrv8Ih2s0q1ah1CWhIlgzVJrbhBtRybMXaicr3ruh0HhHj2Kzl/M8jQ",
  },
  {
    name: "PBKDF2-SHA512 as Kratos writes it, hashlib",
    password: phrase,
    hash: "$pbkdf2-sha512$i=1000,l=64$MDEyMzQ1Njc4OWFiY2RlZg$5bTW2oeyDJyGJPcmEr+mRDE11ghpozWrDGnSNhRXo2ZCu0KHRDiUMAVEGzLJC+oDhRoeIja9J1iLIv9ptDJMfQ",
  },
  { name: "PBKDF2-SHA256, Django", password: phrase, hash: "pbkdf2_sha256$1000$seasalt12345$lc9upgiPQ2muevvuisr7qA/SNSmKyk+QjwXhw/n1uhw=" },
  { name: "PBKDF2-SHA1, Django", password: phrase, hash: "pbkdf2_sha1$1000$seasalt12345$rQ2Svh7KtT4/Yuob7QRIU23SU/Q=" },
]

/** argon2id at 19456 KiB, 2 passes, 1 lane and its neighbours, all of `correct horse battery staple`; argon2-cffi. */
export const ofCost = {
  equal: "$argon2id$v=19$m=19456,t=2,p=1$MDEyMzQ1Njc4OWFiY2RlZg$gy5SuVm5Z7Vw7keB9se9p87QGcomaseB/S2U1OhTsM0",
  oneKibLess: "$argon2id$v=19$m=19455,t=2,p=1$MDEyMzQ1Njc4OWFiY2RlZg$+bOMajejCqJx1BfMSaYM3cvCLm/xQDrUwiZ91Ea+tCU",
  onePassMore: "$argon2id$v=19$m=19456,t=3,p=1$MDEyMzQ1Njc4OWFiY2RlZg$OoBhs0ntEioZJa1VjMCiFtokzacMxxZItPrVFaGD1r0",
  oneLaneMore: "$argon2id$v=19$m=19456,t=2,p=2$MDEyMzQ1Njc4OWFiY2RlZg$/4qtnh/fZ6tmQYKUWugZMGa7JZ6lBTHK/t//ruK/mLU",
  moreMemoryOnePassLess: "$argon2id$v=19$m=32768,t=1,p=1$MDEyMzQ1Njc4OWFiY2RlZg$PiWXyXqjlMTXF1+eCLZNshb82DWtSwl2rAHEXtXTOPM",
  version16: "$argon2id$v=16$m=19456,t=2,p=1$MDEyMzQ1Njc4OWFiY2RlZg$/4B9IQLNXUwqaY0TRpcIkX0VsyAGGSQr5jo467LMJc0",
  argon2i: "$argon2i$v=19$m=19456,t=2,p=1$MDEyMzQ1Njc4OWFiY2RlZg$a4Vmb8BztzJQAjar4pBJac3RHJRwOM41W0GNxOaaUsU",
}

/** Cheap hashes of the same phrase, for tests with many of them. */
export const cheap = "$argon2id$v=19$m=64,t=1,p=1$MDEyMzQ1Njc4OWFiY2RlZg$aq42HBL+IPAitHspChw/8mx5JRX2jFDkTmlsBskwH/0"

const key = "yqSq2SygY1sB4EcH9f2FG0JTMES+wqLsOT5YmiRBplI"

/** Well-formed, and refused because of the cost of their verification. */
export const bombs: ReadonlyArray<string> = [
  `$argon2id$v=19$m=2147483648,t=2,p=1$c29tZXNhbHQ$${key}`,
  `$argon2id$v=19$m=1048577,t=1,p=1$c29tZXNhbHQ$${key}`,
  `$argon2id$v=19$m=64,t=4294967295,p=1$c29tZXNhbHQ$${key}`,
  `$argon2i$v=19$m=4294967295,t=1,p=1$c29tZXNhbHQ$${key}`,
  "$2b$17$abcdefghijklmnopqrstuuFiPhXf1sVd3pCCRO.uVh34H/qI/ZsuS",
  "$2b$31$abcdefghijklmnopqrstuuFiPhXf1sVd3pCCRO.uVh34H/qI/ZsuS",
  `$scrypt$ln=30,r=8,p=1$c29tZXNhbHQ$${key}`,
  `$scrypt$ln=21,r=8,p=1$c29tZXNhbHQ$${key}`,
  `$scrypt$ln=14,r=8,p=99999$c29tZXNhbHQ$${key}`,
  `$scrypt$ln=1,r=99999,p=99999$c29tZXNhbHQ$${key}`,
  `$pbkdf2-sha256$1000000000$c29tZXNhbHQ$${key}`,
  `$pbkdf2-sha256$i=10000001,l=32$c29tZXNhbHQ$${key}`,
  `$pbkdf2-sha256$i=5000001,l=64$c29tZXNhbHQ$${key}${key}`,
  `pbkdf2_sha256$1000000000$salt$${key}=`,
]

/** Malformed hashes. */
export const malformed: ReadonlyArray<string> = [
  "",
  " ",
  "$",
  "password",
  "$argon2id$",
  "$argon2id$v=19$m=64,t=1,p=1$MDEyMzQ1Njc4OWFiY2RlZg$",
  "$argon2id$v=19$m=64,t=1,p=1$MDEyMzQ1Njc4OWFiY2RlZg$Iz9pMw",
  "$argon2id$v=19$m=0,t=1,p=1$MDEyMzQ1Njc4OWFiY2RlZg$aq42HBL+IPAitHspChw/8mx5JRX2jFDkTmlsBskwH/0",
  "$argon2id$v=19$m=64,t=0,p=1$MDEyMzQ1Njc4OWFiY2RlZg$aq42HBL+IPAitHspChw/8mx5JRX2jFDkTmlsBskwH/0",
  "$argon2id$v=19$m=64,t=1,p=0$MDEyMzQ1Njc4OWFiY2RlZg$aq42HBL+IPAitHspChw/8mx5JRX2jFDkTmlsBskwH/0",
  "$argon2id$v=18$m=64,t=1,p=1$MDEyMzQ1Njc4OWFiY2RlZg$aq42HBL+IPAitHspChw/8mx5JRX2jFDkTmlsBskwH/0",
  "$2b$05$tooshort",
  "$2b$03$abcdefghijklmnopqrstuuFiPhXf1sVd3pCCRO.uVh34H/qI/ZsuS",
  "$2x$05$abcdefghijklmnopqrstuuFiPhXf1sVd3pCCRO.uVh34H/qI/ZsuS",
  `$scrypt$ln=0,r=8,p=1$c29tZXNhbHQ$${key}`,
  `$scrypt$ln=10,r=0,p=1$c29tZXNhbHQ$${key}`,
  `$scrypt$ln=16,r=1,p=1$c29tZXNhbHQ$${key}`,
  `$scrypt$ln=10,r=8,p=0$c29tZXNhbHQ$${key}`,
  "$scrypt$ln=10,r=8,p=1$c29tZXNhbHQ$",
  "$scrypt$ln=10,r=8,p=1$c29tZXNhbHQ$AAAA",
  "$scrypt$ln=10,r=8,p=1$c29tZXNhbHQ$not!base64not!base64not!base64",
  `$pbkdf2-sha256$0$c29tZXNhbHQ$${key}`,
  `$pbkdf2-sha256$-1$c29tZXNhbHQ$${key}`,
  `$pbkdf2-sha256$1e3$c29tZXNhbHQ$${key}`,
  `$pbkdf2-md5$1000$c29tZXNhbHQ$${key}`,
  "$pbkdf2-sha256$1000$c29tZXNhbHQ$",
  "$pbkdf2-sha256$1000$c29tZXNhbHQ$AAAAAAAA",
  "pbkdf2_sha256$1000$seasalt12345$",
  `pbkdf2_md5$1000$salt$${key}=`,
  ":",
  "00:00",
  "000102030405060708090a0b0c0d0e0f:",
  "000102030405060708090a0b0c0d0e0f:7034",
]
