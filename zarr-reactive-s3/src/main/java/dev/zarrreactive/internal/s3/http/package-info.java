/**
 * The HTTP client below the AWS SDK: requests that end when they are cancelled or when no byte
 * comes. Internal to this module.
 */
@NullMarked
package dev.zarrreactive.internal.s3.http;

import org.jspecify.annotations.NullMarked;
