package dev.zarrreactive.internal.icechunk;

/** The kinds of files that have a header, with their numbers in it. */
public enum FileType {
  /** All nodes of one version. */
  SNAPSHOT(1, "a snapshot"),
  /** References to chunks. */
  MANIFEST(2, "a manifest"),
  /** What one commit has changed. */
  TRANSACTION(4, "a transaction log"),
  /** The branches, tags and snapshots of a repository. */
  REPO(6, "the info of a repository");

  private final int number;
  private final String words;

  FileType(int number, String words) {
    this.number = number;
    this.words = words;
  }

  int number() {
    return number;
  }

  static String words(int number) {
    for (FileType type : values()) {
      if (type.number == number) {
        return type.words;
      }
    }
    return switch (number) {
      case 3 -> "attributes";
      case 5 -> "a chunk";
      default -> "a file of the unknown type " + number;
    };
  }

  @Override
  public String toString() {
    return words;
  }
}
