<?php
// Reads orders (JSON) from standard input, carries them out with WordPress's own functions, and prints what there is now.
// install: title, theme, permalinks; then any number of: insert, edit, move, trash, comment.
$orders = json_decode(file_get_contents('php://stdin'), true);
define('WP_INSTALLING', isset($orders['install']));
$_SERVER['HTTP_HOST'] = parse_url(getenv('SITE_URL'), PHP_URL_HOST) . ':' . parse_url(getenv('SITE_URL'), PHP_URL_PORT);
$_SERVER['SERVER_PROTOCOL'] = 'HTTP/1.1';
$_SERVER['REQUEST_METHOD'] = 'GET';
function wp_new_blog_notification() {}
// As the editor writes it: themes made of blocks link to further pages for this block alone, others for the marker in it.
const NEXT_PAGE = "\n<!-- wp:nextpage -->\n<!--nextpage-->\n<!-- /wp:nextpage -->\n";
require getenv('SITE_ROOT') . '/wp-load.php';
require_once ABSPATH . 'wp-admin/includes/upgrade.php';
require_once ABSPATH . 'wp-admin/includes/taxonomy.php';

function author_id($name) {
    $login = 'u' . substr(md5($name), 0, 8);
    $user = get_user_by('login', $login);
    if ($user) {
        return $user->ID;
    }
    return wp_insert_user(['user_login' => $login, 'user_pass' => md5($login), 'display_name' => $name,
        'nickname' => $name, 'user_nicename' => $login, 'user_email' => "$login@example.org", 'role' => 'author']);
}

function local_time($iso) {
    return get_date_from_gmt(gmdate('Y-m-d H:i:s', strtotime($iso)));
}

function status_of($state) {
    return ['published' => 'publish', 'protected' => 'publish', 'deleted' => 'trash'][$state] ?? $state;
}

function add_remarks($post, $remarks) {
    foreach ($remarks as $remark) {
        wp_insert_comment(['comment_post_ID' => $post, 'comment_author' => $remark['author'],
            'comment_author_email' => 'reader@example.org', 'comment_content' => $remark['text'],
            'comment_date' => local_time($remark['published']), 'comment_approved' => 1]);
    }
    wp_update_comment_count_now($post);
}

function insert($piece) {
    $when = local_time($piece['published']);
    if ($piece['state'] === 'future') {
        $when = get_date_from_gmt('2037-01-01 00:00:00');
    }
    $id = wp_insert_post(wp_slash(['post_title' => $piece['title'], 'post_status' => status_of($piece['state']),
        'post_content' => implode(NEXT_PAGE, $piece['parts']), 'post_author' => author_id($piece['author']),
        'post_date' => $when, 'post_type' => $piece['is_page'] ? 'page' : 'post', 'comment_status' => 'open',
        'post_password' => $piece['state'] === 'protected' ? 'sesame' : '']), true);
    if (is_wp_error($id)) {
        fwrite(STDERR, $piece['key'] . ': ' . $id->get_error_message() . "\n");
        exit(1);
    }
    update_post_meta($id, '_key', $piece['key']);
    if ($piece['section']) {
        wp_set_post_categories($id, [wp_create_category($piece['section'])]);
        wp_set_post_tags($id, [$piece['language'], $piece['section'] . ' notes']);
    }
    if ($piece['pinned']) {
        stick_post($id);
    }
    add_remarks($id, $piece['remarks']);
}

function id_of($key) {
    $found = get_posts(['meta_key' => '_key', 'meta_value' => $key, 'post_type' => 'any', 'post_status' => 'any', 'numberposts' => 1]);
    return $found[0]->ID;
}

if (isset($orders['install'])) {
    $wanted = $orders['install'];
    wp_install($wanted['title'], 'admin', 'admin@example.org', true, '', 'never-used-4711');
    foreach (get_posts(['post_type' => 'any', 'post_status' => 'any', 'numberposts' => -1]) as $post) {
        wp_delete_post($post->ID, true);
    }
    update_option('blogdescription', $wanted['tagline']);
    update_option('permalink_structure', $wanted['permalinks']);
    update_option('timezone_string', $wanted['zone']);
    update_option('page_comments', 1);
    update_option('comments_per_page', 10);
    update_option('default_comments_page', 'oldest');
    update_option('ping_sites', '');
    update_option('default_pingback_flag', 0);
    update_option('posts_per_page', $wanted['per_page']);
    switch_theme($wanted['theme']);
    global $wp_rewrite;
    $wp_rewrite->init();
    $wp_rewrite->flush_rules(true);
}
foreach ($orders['insert'] ?? [] as $piece) {
    insert($piece);
}
foreach ($orders['edit'] ?? [] as $key => $change) {
    wp_update_post(wp_slash(['ID' => id_of($key)] + $change));
}
foreach ($orders['move'] ?? [] as $key => $section) {
    wp_set_post_categories(id_of($key), [wp_create_category($section)]);
    wp_update_post(['ID' => id_of($key), 'post_name' => "moved-$key"]);
}
foreach ($orders['trash'] ?? [] as $key) {
    wp_trash_post(id_of($key));
}
foreach ($orders['comment'] ?? [] as $key => $remarks) {
    add_remarks(id_of($key), $remarks);
}
$rows = [];
foreach (get_posts(['post_type' => ['post', 'page'], 'post_status' => 'any', 'numberposts' => -1]) as $post) {
    $rows[] = ['key' => get_post_meta($post->ID, '_key', true), 'url' => get_permalink($post), 'title' => $post->post_title,
        'author' => get_the_author_meta('display_name', $post->post_author), 'published' => get_post_time('c', true, $post) ?: '1970-01-01T00:00:00+00:00',
        'visible' => $post->post_status === 'publish' && $post->post_password === ''];
}
echo json_encode($rows);
