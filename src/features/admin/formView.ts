interface FormView {
  /** The label of the button; empty for a page that only says why there is none. */
  readonly button: string
  /** Where the link beside it leads. */
  readonly cancel_path: string
  readonly texts?: readonly string[]
  readonly is_danger?: boolean
  /** Whether a field is a file, so that the form is sent as multipart. */
  readonly has_file?: boolean
}

/** Completes the view of a form for its template. */
export const formView = (view: FormView) => ({ texts: [], is_danger: false, has_file: false, ...view })
