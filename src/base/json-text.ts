declare const parsed: unique symbol

/** JSON of a value of this type. Only the compiler knows which. */
export type JsonText<Value> = string & { readonly [parsed]?: Value }
