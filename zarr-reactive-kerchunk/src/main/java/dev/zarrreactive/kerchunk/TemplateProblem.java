package dev.zarrreactive.kerchunk;

/** A text with templates cannot be expanded; whoever knows its place makes an error of it. */
final class TemplateProblem extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean isUnsupported;

  private TemplateProblem(String message, boolean isUnsupported) {
    super(message, null, false, false);
    this.isUnsupported = isUnsupported;
  }

  /** The text breaks a rule. */
  static TemplateProblem wrong(String message) {
    return new TemplateProblem(message, false);
  }

  /** The text uses what jinja has and this library has not. */
  static TemplateProblem unsupported(String feature) {
    return new TemplateProblem(
        feature
            + " of jinja is not supported in templates; names, calls such as {{f(c='text')}} and"
            + " arithmetic of integers with + - * // % are",
        true);
  }

  /** The message. */
  String message() {
    return String.valueOf(getMessage());
  }

  boolean isUnsupported() {
    return isUnsupported;
  }
}
