package dev.zarrreactive.house;

import java.util.List;

/**
 * The floors of the library, top to bottom: a package imports its own floor and those below it. The
 * compiler holds the modules apart; this list orders the packages inside of each.
 */
final class Floors {

  private static final String ROOT = "dev.zarrreactive";

  private static final List<List<String>> TOP_TO_BOTTOM =
      List.of(
          List.of("internal.drawing"),
          List.of("copy", "encodings"),
          List.of("internal.files", "internal.copying", "internal.pyramid"),
          List.of(""),
          List.of("internal.write", "internal.encode"),
          List.of("internal.hierarchy", "internal.read"),
          List.of("internal.context"),
          List.of("encoding", "pyramid", "internal.link", "internal.location"),
          List.of("kerchunk", "icechunk", "internal.codec.imagecodecs"),
          List.of("internal.drafts", "internal.codec.numcodecs", "internal.codec.n5"),
          List.of("internal.keys"),
          List.of("internal.parquet", "internal.icechunk"),
          List.of("internal.codec.blosc"),
          List.of("internal.codec"),
          List.of("internal.planning"),
          List.of("codec"),
          List.of("metadata"),
          List.of("internal.metadata"),
          List.of("array.selection", "chunkgrid"),
          List.of("array"),
          List.of("internal.element"),
          List.of("chunkkey", "datatype"),
          List.of("extension"),
          List.of("credentials"),
          List.of("internal.netrc"),
          List.of("json"),
          List.of("azure", "gcs", "http", "store.zip", "virtual"),
          List.of("internal.service"),
          List.of("internal.objects"),
          List.of("internal.http"),
          List.of("internal.transfer"),
          List.of("internal.credential"),
          List.of("store.decorator", "internal.observation"),
          List.of("store.credential", "store.memory"),
          List.of("store.file", "internal.store", "observation"),
          List.of("store"),
          List.of("internal.cache", "internal.flow"),
          List.of("internal.partial", "internal.sharing", "internal.threads"),
          List.of("base", "internal.guard"),
          List.of("error", "internal.text"),
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
