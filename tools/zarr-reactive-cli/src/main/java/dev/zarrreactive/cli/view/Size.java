package dev.zarrreactive.cli.view;

/** The pixels of a picture. */
public record Size(int width, int height) {
  /** The pixels that a narrow plane keeps, where it has as many elements. */
  private static final int LEAST = 8;

  /**
   * Returns the size of a plane that fits into this one; no element has several pixels. A long and
   * narrow plane is drawn wider than it is, so that its few columns or rows are seen.
   */
  Size of(Plane plane) {
    double shrink =
        Math.min(1, Math.min(width / (double) plane.width(), height / (double) plane.height()));
    return new Size(shrunk(plane.width(), shrink, width), shrunk(plane.height(), shrink, height));
  }

  private static int shrunk(long elements, double shrink, int most) {
    long least = Math.min(Math.min(elements, LEAST), most);
    return (int) Math.max(Math.max(1, least), Math.round(elements * shrink));
  }
}
