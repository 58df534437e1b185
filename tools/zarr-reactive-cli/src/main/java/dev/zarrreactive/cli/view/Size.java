package dev.zarrreactive.cli.view;

/** The pixels of a picture. */
public record Size(int width, int height) {
  /** Returns the size of a plane that fits into this one; no element has several pixels. */
  Size of(Plane plane) {
    double shrink =
        Math.min(1, Math.min(width / (double) plane.width(), height / (double) plane.height()));
    return new Size(
        (int) Math.max(1, Math.round(plane.width() * shrink)),
        (int) Math.max(1, Math.round(plane.height() * shrink)));
  }
}
