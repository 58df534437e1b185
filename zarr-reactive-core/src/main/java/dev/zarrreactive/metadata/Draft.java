package dev.zarrreactive.metadata;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.UnsupportedFeatureException;

/** A draft of Zarr v3 that programs wrote data to before the specification was accepted. */
public enum Draft {
  /**
   * The draft of 2022: a {@code zarr.json} at the root of the store only, documents below {@code
   * meta/}, chunks below {@code data/}.
   */
  OF_2022("2022"),

  /**
   * The draft of 2023 and what the programs of that year wrote: a {@code zarr.json} for each node,
   * as in Zarr v3, but some members in other forms, and groups without any document.
   */
  OF_2023("2023");

  private final String year;

  Draft(String year) {
    this.year = year;
  }

  /** The year, as the command line names the draft. */
  public String year() {
    return year;
  }

  /** What has to be asked for, for errors. */
  String howToRead() {
    return "ZarrOptions.withDrafts(Drafts.of(Draft."
        + name()
        + ")), or --draft "
        + year
        + " on the command line, reads it";
  }

  /** The error of whoever wants to change a node that is written to this draft. */
  public UnsupportedFeatureException refusesWrites(Location place) {
    return new UnsupportedFeatureException(
        "what is written to "
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
