package dev.zarrreactive.codec;

/**
 * What became of look-ups of shards' indexes.
 *
 * @param hits look-ups that found the index, or another look-up that was fetching it
 * @param misses look-ups that asked the store
 * @param bytes the bytes of the indexes that are kept now
 */
public record ShardIndexCounts(long hits, long misses, long bytes) {}
