package dev.zarrreactive.store;

/**
 * What a cache did and holds, at one moment. Keys that it is not to keep are not counted.
 *
 * @param hits reads that were answered from memory
 * @param shared reads that waited for the request of another one
 * @param misses reads that made a request for bytes
 * @param revalidations reads that made a request for bytes where they have changed
 * @param evictions entries that made room for others
 * @param entries values, ranges and missing keys that are kept now
 * @param bytes what they weigh, as {@link CacheOptions} says
 */
public record CacheCounts(
    long hits,
    long shared,
    long misses,
    long revalidations,
    long evictions,
    long entries,
    long bytes) {}
