package dev.zarrreactive.observation;

/**
 * One request for ranges of a shard that are close to each other: of inner chunks, or of the
 * indexes of shards inside.
 *
 * @param ranges how many ranges are fetched together; 1 where it is one alone
 * @param bytes how many bytes are asked for
 * @param unwanted how many of them lie between the ranges and are thrown away
 */
public record RangeRequest(int ranges, long bytes, long unwanted) {}
