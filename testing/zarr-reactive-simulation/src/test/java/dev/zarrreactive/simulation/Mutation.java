package dev.zarrreactive.simulation;

import java.util.List;

/**
 * A fault that is put into the library on purpose, as changes of its source.
 *
 * @param name what is wrong then
 * @param seed a seed that found it last; others are tried where it does not any more
 */
record Mutation(String name, long seed, List<Edit> edits) {
  Mutation {
    edits = List.copyOf(edits);
  }

  static Mutation of(String name, long seed, Edit... edits) {
    return new Mutation(name, seed, List.of(edits));
  }

  /**
   * A change of a class.
   *
   * @param className below {@code dev.zarrreactive}
   * @param text what stands there now, wherever it stands
   */
  record Edit(String className, String text, String replacement) {
    /** Returns the source with the change; an error where the text does not stand there. */
    String in(String source) {
      if (!source.contains(text)) {
        throw new AssertionError(
            className
                + " has changed: adapt the edit that puts the fault into it. It lacks the text:\n"
                + text);
      }
      return source.replace(text, replacement);
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
