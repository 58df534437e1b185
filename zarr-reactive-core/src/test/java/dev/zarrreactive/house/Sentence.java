package dev.zarrreactive.house;

import java.nio.file.Path;

/** A sentence that people read: of a comment, of a message, or of a page. */
record Sentence(Path file, int line, Kind kind, String text) {

  enum Kind {
    COMMENT,
    MESSAGE,
    PAGE
  }

  @Override
  public String toString() {
    return SourceFiles.nameOf(file) + ":" + line + ": " + text;
  }
}
