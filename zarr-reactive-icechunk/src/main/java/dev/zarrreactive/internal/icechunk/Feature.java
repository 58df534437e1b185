package dev.zarrreactive.internal.icechunk;

import java.util.Locale;

/** The changes that a repository may have switched off, with their numbers in its info. */
public enum Feature {
  COMMIT(1),
  AMEND(2),
  MOVE_NODE(3),
  CREATE_TAG(4),
  DELETE_TAG(5),
  REBASE(6),
  CREATE_NEW_NODES(7),
  DELETE_NODES(8),
  UPDATE_CHUNKS(9),
  UPDATE_ARRAY_METADATA(10),
  UPDATE_GROUP_METADATA(11),
  CREATE_BRANCH(12),
  DELETE_BRANCH(13),
  RESET_BRANCH(14);

  private final int number;

  Feature(int number) {
    this.number = number;
  }

  int number() {
    return number;
  }

  /** Returns the name of a number, such as {@code create_tag} or {@code feature 99}. */
  public static String name(int number) {
    for (Feature feature : values()) {
      if (feature.number == number) {
        return feature.toString();
      }
    }
    return "feature " + number;
  }

  /** The name that Icechunk gives it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
