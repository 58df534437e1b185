package dev.zarrreactive.house;

import java.util.List;

/** The floors of the house, top to bottom: a package imports its own floor and those below it. */
final class Floors {

  private static final String ROOT = "dev.zarrreactive";

  private static final List<List<String>> TOP_TO_BOTTOM =
      List.of(
          List.of("copy"),
          List.of(""),
          List.of("internal"),
          List.of("codec", "chunkgrid", "chunkkey", "encoding"),
          List.of("metadata"),
          List.of("internal.metadata"),
          List.of("array.selection"),
          List.of("array"),
          List.of("internal.element"),
          List.of("datatype"),
          List.of("extension"),
          List.of("json"),
          List.of("store.zip"),
          List.of("internal.transfer", "store.decorator"),
          List.of("store.file", "store.memory"),
          List.of("observation"),
          List.of("internal.store"),
          List.of("store"),
          List.of(
              "internal.cache",
              "internal.flow",
              "internal.sharing",
              "internal.guard",
              "internal.partial",
              "internal.text",
              "internal.threads"),
          List.of("error"),
          List.of("spi"));

  private Floors() {}

  static boolean isOurs(String packageName) {
    return packageName.equals(ROOT) || packageName.startsWith(ROOT + ".");
  }

  /**
   * The number of a package's floor, 0 at the top: its own, or that of the package it is in.
   *
   * @throws IllegalArgumentException for a package that has no floor yet: give it one above
   */
  static int of(String packageName) {
    String room = packageName.equals(ROOT) ? "" : packageName.substring(ROOT.length() + 1);
    for (String named = room; ; named = named.substring(0, Math.max(0, named.lastIndexOf('.')))) {
      for (int floor = 0; floor < TOP_TO_BOTTOM.size(); floor++) {
        if (TOP_TO_BOTTOM.get(floor).contains(named)) {
          return floor;
        }
      }
      if (named.indexOf('.') < 0) {
        throw new IllegalArgumentException(
            "the package " + packageName + " has no floor; give it one in Floors.TOP_TO_BOTTOM");
      }
    }
  }
}
