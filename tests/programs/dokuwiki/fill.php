<?php
// Reads pages (JSON: id, text, author, summary, time) from standard input and saves each as DokuWiki does; a null text deletes it.
define('DOKU_INC', getenv('SITE_ROOT') . '/');
define('NOSESSION', 1);
$_SERVER['HTTP_HOST'] = getenv('SITE_HOST');
$_SERVER['SCRIPT_NAME'] = '/doku.php';
$_SERVER['REMOTE_ADDR'] = '127.0.0.1';
require_once DOKU_INC . 'inc/init.php';
foreach (json_decode(file_get_contents('php://stdin'), true) as $page) {
    global $INFO, $INPUT;
    $INPUT->server->set('REMOTE_USER', $page['author']);
    saveWikiText($page['id'], $page['text'] ?? '', 'written');
    $file = wikiFN($page['id']);
    if ($page['text'] !== null) {
        touch($file, $page['time']);
        p_set_metadata($page['id'], ['date' => ['created' => $page['time'], 'modified' => $page['time']],
            'last_change' => ['date' => $page['time'], 'ip' => '127.0.0.1', 'type' => 'C', 'id' => $page['id'], 'user' => $page['author'],
                'sum' => 'written', 'extra' => '']], false, true);
    }
}
echo 'done';
