/* Faults of the system, for a process that loads this before the C library (LD_PRELOAD): the n-th call of some kind on a
 * file with a word in its path fails with an error, or ends the process as SIGKILL does. Memory is that which SQLite asks
 * for; the clock goes back with each look at it.
 *
 *     void fault_arm(const char *word, int kinds, long at, int error, int forever, long back);
 *     long fault_count(void);
 *
 * The count is in memory that a process shares with those that it forks: a process that is killed has counted too.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { WRITE = 1, READ = 2, SYNC = 4, TRUNCATE = 8, OPEN = 16, REMOVE = 32, LOCK = 64, MEMORY = 128 };
enum { KILL = -1, TORN = -2 }; /* for an error: dead before the call, dead after half of what was to be written */
enum { FILES = 4096, LIBRARIES = 8 };

static struct { volatile long count, looks; } *shared;
static char word[128], watched[FILES];
static int kinds, error, forever, ranges;
static long at, back;
static struct { char *from, *until; } sqlite[LIBRARIES];

static void *next(const char *name) { return dlsym(RTLD_NEXT, name); }

static int find_sqlite(struct dl_phdr_info *info, size_t size, void *unused) {
    (void)size, (void)unused;
    if (info->dlpi_name && strstr(info->dlpi_name, "sqlite3"))
        for (int i = 0; i < info->dlpi_phnum && ranges < LIBRARIES; i++)
            if (info->dlpi_phdr[i].p_type == PT_LOAD && info->dlpi_phdr[i].p_flags & PF_X) {
                sqlite[ranges].from = (char *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
                sqlite[ranges].until = sqlite[ranges].from + info->dlpi_phdr[i].p_memsz;
                ranges++;
            }
    return 0;
}

void fault_arm(const char *path, int which, long when, int how, int always, long seconds) {
    if (!shared)
        shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    shared->count = shared->looks = 0;
    strncpy(word, path, sizeof word - 1);
    at = when, error = how, forever = always, back = seconds, ranges = 0;
    dl_iterate_phdr(find_sqlite, NULL);
    kinds = which;
}

long fault_count(void) { return shared ? shared->count : 0; }

/* The error of this call; 0: none. */
static int step(int kind) {
    if (!(kinds & kind)) return 0;
    long n = ++shared->count;
    if (!at || (forever ? n < at : n != at)) return 0;
    if (error == KILL) raise(SIGKILL);
    return error;
}

static int step_of(int file, int kind) { return file >= 0 && file < FILES && watched[file] ? step(kind) : 0; }

#define FAILING(file, kind)                                                   \
    int failing = step_of(file, kind);                                        \
    if (failing > 0) { errno = failing; return -1; }

static int opened(const char *path, int file) {
    if (file >= 0 && file < FILES) watched[file] = kinds && word[0] && strstr(path, word) != NULL;
    return file;
}

#define OPENING(name)                                                         \
    int name(const char *path, int flags, ...) {                              \
        static int (*real)(const char *, int, ...);                           \
        if (!real) real = next(#name);                                        \
        mode_t mode = 0;                                                      \
        if (flags & (O_CREAT | O_TMPFILE)) {                                  \
            va_list rest; va_start(rest, flags);                              \
            mode = va_arg(rest, mode_t); va_end(rest);                        \
        }                                                                     \
        int failing = kinds && strstr(path, word) ? step(OPEN) : 0;           \
        if (failing > 0) { errno = failing; return -1; }                      \
        return opened(path, real(path, flags, mode));                         \
    }
OPENING(open)
OPENING(open64)

int close(int file) {
    static int (*real)(int);
    if (!real) real = next("close");
    if (file >= 0 && file < FILES) watched[file] = 0;
    return real(file);
}

ssize_t write(int file, const void *data, size_t size) {
    static ssize_t (*real)(int, const void *, size_t);
    if (!real) real = next("write");
    FAILING(file, WRITE)
    if (failing == TORN) { real(file, data, size / 2); raise(SIGKILL); }
    return real(file, data, size);
}

#define WRITING_AT(name, offset_t)                                            \
    ssize_t name(int file, const void *data, size_t size, offset_t where) {   \
        static ssize_t (*real)(int, const void *, size_t, offset_t);          \
        if (!real) real = next(#name);                                        \
        FAILING(file, WRITE)                                                  \
        if (failing == TORN) { real(file, data, size / 2, where); raise(SIGKILL); } \
        return real(file, data, size, where);                                 \
    }
WRITING_AT(pwrite, off_t)
WRITING_AT(pwrite64, off64_t)

ssize_t read(int file, void *data, size_t size) {
    static ssize_t (*real)(int, void *, size_t);
    if (!real) real = next("read");
    FAILING(file, READ)
    return real(file, data, size);
}

#define READING_AT(name, offset_t)                                            \
    ssize_t name(int file, void *data, size_t size, offset_t where) {         \
        static ssize_t (*real)(int, void *, size_t, offset_t);                \
        if (!real) real = next(#name);                                        \
        FAILING(file, READ)                                                   \
        return real(file, data, size, where);                                 \
    }
READING_AT(pread, off_t)
READING_AT(pread64, off64_t)

#define OF_FILE(name, kind)                                                   \
    int name(int file) {                                                      \
        static int (*real)(int);                                              \
        if (!real) real = next(#name);                                        \
        FAILING(file, kind)                                                   \
        return real(file);                                                    \
    }
OF_FILE(fsync, SYNC)
OF_FILE(fdatasync, SYNC)

#define TRUNCATING(name, offset_t)                                            \
    int name(int file, offset_t size) {                                       \
        static int (*real)(int, offset_t);                                    \
        if (!real) real = next(#name);                                        \
        FAILING(file, TRUNCATE)                                               \
        return real(file, size);                                              \
    }
TRUNCATING(ftruncate, off_t)
TRUNCATING(ftruncate64, off64_t)

int unlink(const char *path) {
    static int (*real)(const char *);
    if (!real) real = next("unlink");
    int failing = kinds && strstr(path, word) ? step(REMOVE) : 0;
    if (failing > 0) { errno = failing; return -1; }
    return real(path);
}

int rename(const char *from, const char *to) {
    static int (*real)(const char *, const char *);
    if (!real) real = next("rename");
    int failing = kinds && strstr(to, word) ? step(REMOVE) : 0;
    if (failing > 0) { errno = failing; return -1; }
    return real(from, to);
}

#define LOCKING(name)                                                         \
    int name(int file, int command, ...) {                                    \
        static int (*real)(int, int, ...);                                    \
        if (!real) real = next(#name);                                        \
        va_list rest; va_start(rest, command);                                \
        void *more = va_arg(rest, void *); va_end(rest);                      \
        if (command == F_SETLK && ((struct flock *)more)->l_type != F_UNLCK) { FAILING(file, LOCK) } \
        return real(file, command, more);                                     \
    }
LOCKING(fcntl)
LOCKING(fcntl64)

/* --- memory -------------------------------------------------------------------------------------------------------- */

extern void *__libc_malloc(size_t), *__libc_realloc(void *, size_t);

static int is_sqlite(char *caller) {
    for (int i = 0; i < ranges; i++)
        if (caller >= sqlite[i].from && caller < sqlite[i].until) return 1;
    return 0;
}

void *malloc(size_t size) {
    if (kinds & MEMORY && is_sqlite(__builtin_return_address(0)) && step(MEMORY)) { errno = ENOMEM; return NULL; }
    return __libc_malloc(size);
}

void *realloc(void *old, size_t size) {
    if (kinds & MEMORY && is_sqlite(__builtin_return_address(0)) && step(MEMORY)) { errno = ENOMEM; return NULL; }
    return __libc_realloc(old, size);
}

/* --- the clock ----------------------------------------------------------------------------------------------------- */

static long late(void) { return back * ++shared->looks; }

int clock_gettime(clockid_t clock, struct timespec *now) {
    static int (*real)(clockid_t, struct timespec *);
    if (!real) real = next("clock_gettime");
    int done = real(clock, now);
    if (back && clock == CLOCK_REALTIME) now->tv_sec -= late();
    return done;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    static int (*real)(struct timeval *restrict, void *restrict);
    if (!real) real = next("gettimeofday");
    int done = real(now, zone);
    if (back) now->tv_sec -= late();
    return done;
}
