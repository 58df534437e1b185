package dev.zarrreactive.metadata;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.UnsupportedFeatureException;

/** A draft of Zarr v3 that programs used before the specification was accepted. */
public enum Draft {
  /**
   * The draft of 2022, with one {@code zarr.json} at the root of the store, documents below {@code
   * meta/} and chunks below {@code data/}.
   */
  OF_2022("2022"),

  /**
   * The draft of 2023, as the programs of that year wrote it. Each node has a {@code zarr.json}, as
   * in Zarr v3, but some members have other forms, and groups may lack a document.
   */
  OF_2023("2023");

  private final String year;

  Draft(String year) {
    this.year = year;
  }

  /** The year, which is the draft's name on the command line. */
  public String year() {
    return year;
  }

  /** The option that reads this draft, for errors. */
  String howToRead() {
    return "ZarrOptions.withDrafts(Drafts.of(Draft."
        + name()
        + ")), or --draft "
        + year
        + " on the command line, reads it";
  }

  /** Returns the error of a change to a node of this draft. */
  public UnsupportedFeatureException refusesWrites(Location place) {
    return new UnsupportedFeatureException(
        "nodes of "
            + this
            + " can only be read; create an array of Zarr v3 in another place and write the chunks"
            + " of this one to it",
        place);
  }

  @Override
  public String toString() {
    return "the " + year + " draft of Zarr v3";
  }
}
